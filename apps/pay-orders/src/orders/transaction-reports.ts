import { Inject, Injectable } from '@nestjs/common';
import type { ReportTransactionReply, ReportTransactionRequest } from '@tollbridge/contracts';
import { DomainError, uuidOf, type CallContext } from '@tollbridge/rpc';
import { ChainAdapters } from '@tollbridge/chain-port';
import { canonicalTxHash, isTxHash, txHashShape } from '@tollbridge/chains';
import { Clock } from '@tollbridge/database';
import { OutboxWorker } from '@tollbridge/bootstrap';
import { OrdersRepository, type StoredOrder } from './storage/orders.repository';
import { TransactionReportsRepository } from './storage/transaction-reports.repository';
import { SubmittedTransactions } from './submitted-transactions';

/** Handles the transactions that clients report for orders. */
@Injectable()
export class TransactionReports {
  constructor(
    private readonly orders: OrdersRepository,
    private readonly reports: TransactionReportsRepository,
    private readonly adapters: ChainAdapters,
    private readonly submitted: SubmittedTransactions,
    private readonly outbox: OutboxWorker,
    @Inject(Clock) private readonly clock: Clock,
  ) {}

  /**
   * Returns the same error for an unknown order and an order that does not wait, so that guessed ids reveal nothing.
   */
  async report(request: ReportTransactionRequest, context: CallContext): Promise<ReportTransactionReply> {
    const id = uuidOf(request.id);
    const reply: ReportTransactionReply = { ok: true, status: 'settling' };
    const txHash = canonicalTxHash(request.tx_hash);
    const chains = this.adapters.all
      .map(({ chain }) => chain)
      .filter((chain) => isTxHash(chain, txHash))
      .map(({ id }) => id);
    const report = { txHash, directChains: chains, nowMs: this.clock.now(), context };
    let outcome = id ? await this.reports.report({ id, ...report }, reply) : 'notWaiting';
    const order = id && outcome === 'notWaiting' ? await this.orders.find(id) : undefined;
    if (order) {
      // The chain is read outside of the database transaction, and the watcher may find the payment meanwhile.
      const isPayment = await this.paysUnseen(order, txHash);
      outcome = await this.reports.reportAlone({ id: order.id, ...report, isPayment }, reply);
    }
    if (outcome === 'notWaiting') throw new DomainError('ORDER_NOT_WAITING');
    if (outcome === 'notOfThisChain')
      throw DomainError.invalid([{ field: 'tx_hash', message: this.hashForms() }]);
    if (outcome === 'claimedByAnother') throw new DomainError('TX_ALREADY_REPORTED');
    this.outbox.wake();
    return reply;
  }

  /** Whether the chain shows that a transaction pays an order that waits for another reported transaction. */
  private async paysUnseen(order: StoredOrder, txHash: string): Promise<boolean> {
    const isUnseen = order.status === 'settling' && order.paidHeight === null && order.payTx !== txHash;
    if (!isUnseen || !order.direct) return false;
    // Without a reply of a node, the report is rejected, and the watcher finds the payment by itself.
    const state = await this.submitted.stateOf(order, txHash).catch(() => undefined);
    return state === 'paying';
  }

  private hashForms(): string {
    const shapes = new Set(this.adapters.all.map(({ chain }) => txHashShape(chain)));
    return `must be a transaction hash: ${[...shapes].join(', or ')}`;
  }
}
