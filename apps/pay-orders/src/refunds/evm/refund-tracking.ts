import { Inject, Injectable } from '@nestjs/common';
import { broadcast, minedCount, tokenTransfers, type EvmReceipt } from '@tollbridge/evm';
import type { Logger } from '@tollbridge/observability';
import { OutboxWorker, ServiceLogger } from '@tollbridge/bootstrap';
import { RefundTransactionsRepository, type RefundTransaction } from '../refund-transactions.repository';
import { RefundsRepository } from '../refunds.repository';
import { BlockedRefunds } from './blocked-refunds';
import type { Attempt } from './refund-places';
import { RefundSending } from './refund-sending';

/** Checks the transactions of refunds until they are final, and settles or resends them. */
@Injectable()
export class RefundTracking {
  constructor(
    private readonly refunds: RefundsRepository,
    private readonly transactions: RefundTransactionsRepository,
    private readonly sending: RefundSending,
    private readonly blocked: BlockedRefunds,
    private readonly outbox: OutboxWorker,
    @Inject(ServiceLogger) private readonly logger: Logger,
  ) {}

  async watch(attempt: Attempt): Promise<void> {
    const { refund, place } = attempt;
    const { rpc, chain } = place;
    const sent = await this.transactions.transactionsOf(refund);
    const { head, receipts } = await rpc.headAndReceipts(sent.map(({ hash }) => hash));
    const at = receipts.findIndex((it) => it !== null);
    const receipt = receipts[at];
    if (!receipt) return this.resend(attempt, sent, head.height);
    if (head.height - receipt.height + 1 < chain.confirmations)
      return this.refunds.postpone(refund.id, chain.pollIntervalMs);
    if (refund.state === 'funding') return void (await this.refunds.gasSettled(refund));
    return this.settle(attempt, sent[at]!, receipt);
  }

  /** A token call may succeed without a transfer, so only its event counts. */
  private async settle(
    { refund, place }: Attempt,
    sent: RefundTransaction,
    receipt: EvmReceipt,
  ): Promise<void> {
    const contract = place.token.address;
    const isPaid =
      receipt.succeeded &&
      (contract === null ||
        tokenTransfers(receipt.logs, contract, refund.recipient!, receipt.txHash).some(
          ({ from, amountAtomic }) => from === refund.address && amountAtomic === sent.amountAtomic,
        ));
    if (!isPaid) {
      await this.refunds.reverted(refund);
      return this.logger.warn(
        { refundId: refund.id, txHash: receipt.txHash },
        'refund transfer failed on the chain',
      );
    }
    const { hash: txHash, amountAtomic } = sent;
    const leftoverAtomic = contract === null ? leftoverOf(sent, receipt) : 0n;
    await this.refunds.forwarded(refund, { txHash, height: receipt.height, amountAtomic, leftoverAtomic });
    this.logger.info({ refundId: refund.id, orderId: refund.orderId, txHash }, 'refund forwarded');
    this.outbox.wake();
  }

  /** The transaction is in no block: it is pending, dropped or underpriced, or another transaction used its nonce. */
  private async resend(attempt: Attempt, sent: readonly RefundTransaction[], head: number): Promise<void> {
    const { refund, place } = attempt;
    const { rpc, chain } = place;
    const newest = sent.at(-1)!;
    const final = Math.max(0, head - chain.confirmations + 1);
    if ((await minedCount(rpc, newest.sender, final)) > newest.nonce) {
      const about = { refundId: refund.id, sender: newest.sender, nonce: newest.nonce };
      this.logger.error(about, 'refund nonce was used by another transaction');
      return refund.state === 'funding'
        ? void (await this.refunds.gasSettled(refund))
        : this.blocked.leaveToOperator(attempt, 'NONCE_USED');
    }
    await this.sending.raise(attempt, newest);
    await broadcast(rpc, newest.raw);
    return this.refunds.postpone(refund.id, chain.pollIntervalMs);
  }
}

/** The maximum remainder of the amount reserved for gas. */
const leftoverOf = ({ reserveAtomic }: RefundTransaction, { gasUsed, gasPriceAtomic }: EvmReceipt): bigint =>
  reserveAtomic - gasUsed * (gasPriceAtomic ?? 0n);
