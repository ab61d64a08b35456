import { Inject, Injectable } from '@nestjs/common';
import type { ExecutedBatch } from '@tollbridge/contracts';
import { Metrics, type Logger } from '@tollbridge/observability';
import { ServiceConfig, ServiceLogger } from '@tollbridge/bootstrap';
import { batchHash, countOfQueryId } from '@tollbridge/ton';
import type { TeeConfig } from '../config';
import { MoneyRepository } from './money.repository';

/**
 * Compares the newest batch on the chain with the payouts of the ledger. After the restore of an older backup, the
 * ledger lacks its latest payouts, and would pay the same money twice.
 */
@Injectable()
export class KnownBatches {
  private readonly unknown;
  /** Query id of the newest lost batch that the operator has decided about. */
  private readonly resumeAfter: number | undefined;
  private loggedHash: string | undefined;
  private parsed: { boc: Buffer; hash: string } | undefined;

  constructor(
    private readonly repository: MoneyRepository,
    @Inject(ServiceConfig) { TEE_PAYOUTS_RESUME_AFTER: resumeAfter }: TeeConfig,
    @Inject(ServiceLogger) private readonly logger: Logger,
    metrics: Metrics,
  ) {
    this.resumeAfter = resumeAfter === '' ? undefined : Number(resumeAfter);
    this.unknown = metrics.gauge(
      'tollbridge_payout_unknown_batches',
      '1 while the newest batch on the chain is not a payout of the ledger; anything but 0 stops all payouts',
    );
  }

  /**
   * Whether a payout may begin: the newest batch is a payout of the ledger, or the batch that the operator has set. It
   * may be an older payout: the chain may have been read before the latest payout was executed.
   * @param batch undefined without a batch, and from an earlier release of nanopay
   * @param next number of the next payout
   */
  async permit(batch: ExecutedBatch | undefined, next: bigint): Promise<boolean> {
    const isPermitted = !batch || batch.queryId === this.resumeAfter || (await this.isPayout(batch, next));
    this.unknown.set(isPermitted ? 0 : 1);
    if (!isPermitted && this.loggedHash !== batch.hash) {
      this.loggedHash = batch.hash;
      this.logger.error(
        { queryId: batch.queryId, hash: batch.hash, nextPayout: next.toString() },
        'payouts stopped: the newest batch on the chain is not a payout of the ledger; account for lost batches, then set TEE_PAYOUTS_RESUME_AFTER to its query id',
      );
    }
    return isPermitted;
  }

  /** Returns the number of the next payout, after the lost batches, because the contract remembers their query ids. */
  numberFrom(next: bigint): bigint {
    const lost = this.resumeAfter === undefined ? undefined : countOfQueryId(this.resumeAfter, next);
    return lost === undefined || lost < next ? next : lost + 1n;
  }

  /** Compares the hash, because a lost payout and a later payout may have the same number, and so the same query id. */
  private async isPayout({ queryId, hash }: ExecutedBatch, next: bigint): Promise<boolean> {
    const number = countOfQueryId(queryId, next);
    const payout = number === undefined ? undefined : await this.repository.payout(number);
    // Lost payouts that an operator has recorded have no message.
    return payout !== undefined && payout.boc.length > 0 && (await this.hashOf(payout.boc)) === hash;
  }

  /** Caches the hash: a message of 64 KB takes milliseconds to parse, and nanopay asks every few seconds. */
  private async hashOf(boc: Buffer): Promise<string> {
    if (!this.parsed?.boc.equals(boc)) this.parsed = { boc, hash: await batchHash(boc) };
    return this.parsed.hash;
  }
}
