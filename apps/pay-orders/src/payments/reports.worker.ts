import type { PollResult, WorkHints } from '@tollbridge/bootstrap';
import type { ChainAdapter } from '@tollbridge/chain-port';
import type { Clock } from '@tollbridge/database';
import { callContext } from '@tollbridge/rpc';
import { plainTransfersOf, type PlainTransfers } from './plain-transfer';
import { verifyReport, type ReportedOrder, type ReportVerdict } from './payment';
import type { ChainPosition, PaymentsRepository } from './payments.repository';
import { ReportedTransfers, type ReportedTransfersParts } from './reported-transfers';

export interface ReportsParts extends ReportedTransfersParts {
  payments: PaymentsRepository;
  clock: Clock;
  hints: Pick<WorkHints, 'idleUntil'>;
  onApplied(): void;
}

// What a chain shows of a transaction changes once per block at most.
const verifyEveryMs = ({ pollIntervalMs }: ChainAdapter) => Math.max(pollIntervalMs * 2, 500);
const maxAtOnce = 50;

/**
 * Verifies reports of payments that the watcher has not found, and reopens orders that they do not pay. The watcher
 * finds payments by the contract. Only a report names plain transfers to the merchant, so this worker takes them.
 */
export class ReportsWorker {
  private readonly transfers: ReportedTransfers;

  constructor(private readonly parts: ReportsParts) {
    this.transfers = new ReportedTransfers(parts);
  }

  async step(): Promise<PollResult> {
    const { adapter, payments, clock } = this.parts;
    const chainId = adapter.chain.id;
    const nowMs = clock.now();
    const position = await payments.positionOf(chainId);
    if (!position) return 'done';
    const orders = await payments.unverifiedReports(chainId, nowMs, maxAtOnce);
    if (orders.length === 0) return this.parts.hints.idleUntil(await payments.nextVerificationMs(chainId));
    // Postponed first, so that an order that fails each time does not block the others.
    const ids = orders.map(({ id }) => id);
    await payments.postponeVerification(ids, nowMs, verifyEveryMs(adapter));
    const results = await Promise.allSettled(orders.map((order) => this.verify(order, position, nowMs)));
    const failed = results.find((result) => result.status === 'rejected');
    if (failed) throw failed.reason;
    // Never at once again: the load on a chain's nodes stays bounded, however many transactions are reported.
    return 'done';
  }

  private async verify(order: ReportedOrder, position: ChainPosition, nowMs: number): Promise<void> {
    const verdict = await this.verdictOn(order, position, nowMs);
    if (verdict.kind === 'wait') return;
    const { payments, logger, onApplied, adapter } = this.parts;
    const context = callContext({ principal: 'watcher' });
    const found = verdict.mayTransfer
      ? { chain: adapter.chain, plain: await this.plainTransfers(order) }
      : verdict.mayBeElsewhere && (await this.transfers.elsewhere(order, Math.min(nowMs, position.timeMs)));
    if (found && found.plain.kind === 'wait') return;
    if (found && found.plain.kind === 'received') {
      const facts = this.transfers.factsOf(order, found.chain, found.plain.received, nowMs);
      if (await payments.takeTransfers(order, facts, context)) return onApplied();
    }
    if (!(await payments.reject(order, verdict.reason, nowMs, context))) return;
    logger.info(
      { chain: adapter.chain.id, orderId: order.id, txHash: order.payTx, reason: verdict.reason },
      'reported transaction rejected',
    );
    onApplied();
  }

  private async plainTransfers(order: ReportedOrder): Promise<PlainTransfers> {
    const read = await this.transfers.read(order);
    return read ? plainTransfersOf(order, read, this.parts.adapter.chain) : { kind: 'none' };
  }

  private async verdictOn(
    order: ReportedOrder,
    position: ChainPosition,
    nowMs: number,
  ): Promise<ReportVerdict> {
    const { adapter } = this.parts;
    return verifyReport({
      order,
      transaction: await adapter.readReport(order.payTx, order.direct!),
      readHeight: position.height,
      sinceMs: order.payTxSinceMs,
      nowMs: Math.min(nowMs, position.timeMs),
    });
  }
}
