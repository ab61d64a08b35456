import { Inject, Injectable } from '@nestjs/common';
import { Clock } from '@tollbridge/database';
import type { Logger } from '@tollbridge/observability';
import { ServiceLogger } from '@tollbridge/bootstrap';
import type { ManualReason } from '../refund';
import { RefundsRepository } from '../refunds.repository';
import type { Attempt } from './refund-places';

const longestRetryMs = 12 * 60 * 60_000;
// A final amount that is missing for this long was moved with the phrase outside of this service.
const goneAfterMs = 60 * 60_000;

/** Handles refunds that cannot advance now: they are retried later, or wait for an operator. */
@Injectable()
export class BlockedRefunds {
  constructor(
    private readonly refunds: RefundsRepository,
    @Inject(Clock) private readonly clock: Clock,
    @Inject(ServiceLogger) private readonly logger: Logger,
  ) {}

  /** The delay grows with the age of the refund. */
  async retryLater({ refund, place }: Attempt, reason: string): Promise<void> {
    const ageMs = this.clock.now() - refund.createdAtMs;
    const pauseMs = Math.min(Math.max(place.chain.pollIntervalMs, ageMs / 4), longestRetryMs);
    return this.refunds.postpone(refund.id, pauseMs, reason);
  }

  /** A lagging node returns less. An amount that stays missing was moved by other means. */
  async waitForMoney(attempt: Attempt): Promise<void> {
    if (this.clock.now() - attempt.refund.createdAtMs > goneAfterMs)
      return this.leaveToOperator(attempt, 'MONEY_GONE');
    return this.retryLater(attempt, 'the money is not final');
  }

  /** @param arrived the balance of the address, if it was read */
  async leaveToOperator(
    { refund }: Attempt,
    reason: ManualReason,
    { detail, arrived }: { detail?: string; arrived?: bigint } = {},
  ): Promise<void> {
    const seen = { ...refund, amountAtomic: arrived ?? refund.amountAtomic };
    if (!(await this.refunds.leaveToOperator(seen, reason, detail))) return;
    this.logger.warn(
      { refundId: refund.id, orderId: refund.orderId, reason },
      'refund waits for an operator',
    );
  }
}
