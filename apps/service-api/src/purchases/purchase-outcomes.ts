import { Inject, Injectable } from '@nestjs/common';
import { DomainError, type CallContext } from '@tollbridge/rpc';
import { Clock } from '@tollbridge/database';
import type { Logger } from '@tollbridge/observability';
import { OutboxWorker, ServiceLogger } from '@tollbridge/bootstrap';
import { hasEnded, nextCheckAt, type Progress, type Purchase } from './purchase';
import { toPurchaseError, toRejection, unknownOutcome } from './purchase-failures';
import { PurchasesRepository, type PurchaseChange } from './purchases.repository';

/** Stores a provider's reply together with its event. */
@Injectable()
export class PurchaseOutcomes {
  constructor(
    private readonly repository: PurchasesRepository,
    private readonly outbox: OutboxWorker,
    @Inject(Clock) private readonly clock: Clock,
    @Inject(ServiceLogger) private readonly logger: Logger,
  ) {}

  /** Stores a success, even after the worker has stored another status. */
  async store(purchase: Purchase, progress: Progress, context: CallContext): Promise<Purchase> {
    let current: Purchase | undefined = purchase;
    while (current && !isFinalSuccess(current.status)) {
      const change = changeTo(progress, current, this.clock.now());
      const stored = await this.repository.change(current, change, this.clock.now(), context);
      this.outbox.wake();
      if (stored) return stored;
      current = await this.repository.find(purchase.id);
    }
    if (current) return current;
    const { providerId } = progress;
    this.logger.error(
      { purchaseId: purchase.id, providerId },
      'purchase succeeded after its reference was claimed by another, operator action needed',
    );
    throw unknownOutcome();
  }

  /** @returns the error of the call: the rejection, or OUTCOME_UNKNOWN */
  async storeFailure(purchase: Purchase, cause: unknown, context: CallContext): Promise<DomainError> {
    const error = toPurchaseError(cause);
    const isKnown = error.code !== 'OUTCOME_UNKNOWN';
    if (!isKnown) this.logger.warn({ purchaseId: purchase.id, err: cause }, 'purchase outcome unknown');
    const change: PurchaseChange = isKnown
      ? { status: 'refused', refusal: toRejection(error) }
      : { status: 'unknown', checkAtMs: nextCheckAt(0, this.clock.now()) };
    await this.tryStore(purchase, change, context);
    return error;
  }

  /** Stores a change. If this fails, the worker reconciles the purchase after the lease. */
  async tryStore(purchase: Purchase, change: PurchaseChange, context: CallContext): Promise<void> {
    try {
      // Has no effect when the purchase has changed since it was read.
      await this.repository.change(purchase, change, this.clock.now(), context);
      this.outbox.wake();
    } catch (err) {
      this.logger.warn({ purchaseId: purchase.id, err }, 'purchase failure not stored');
    }
  }
}

export function changeTo(progress: Progress, { checks }: Purchase, nowMs: number): PurchaseChange {
  const { status, ...rest } = progress;
  return hasEnded(status) ? { status, ...rest } : { status, ...rest, checkAtMs: nextCheckAt(checks, nowMs) };
}

const isFinalSuccess = (status: Purchase['status']): boolean => hasEnded(status) && status !== 'refused';
