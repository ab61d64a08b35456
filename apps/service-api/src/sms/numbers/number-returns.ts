import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { callContext, type CallContext } from '@tollbridge/rpc';
import { Clock } from '@tollbridge/database';
import type { Logger } from '@tollbridge/observability';
import { OutboxWorker, PollingLoop, ServiceLogger, WorkHints, type PollResult } from '@tollbridge/bootstrap';
import { hasEnded, type Purchase } from '../../purchases/purchase';
import { PurchasesRepository } from '../../purchases/purchases.repository';
import { SmsRepository } from '../sms.repository';
import { returnAtMs } from './number-kinds';
import { earliestCancelMs, VirtualNumbers, type Cancelled } from './virtual-numbers';

const pollEveryMs = 1_000;
const maxAtOnce = 10;
// Longer than the provider's time-out.
const leaseMs = 30_000;
const [firstPauseMs, longestPauseMs] = [5_000, 60_000];

type Traced = Pick<CallContext, 'requestId' | 'traceparent'>;

/**
 * Returns numbers without a code to the provider, which refunds them. Planned returns are stored. Providers reject a
 * return in the first two minutes, so it is retried later.
 */
@Injectable()
export class NumberReturns implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly polling: PollingLoop;

  constructor(
    private readonly repository: SmsRepository,
    private readonly purchases: PurchasesRepository,
    @Inject(VirtualNumbers) private readonly numbers: VirtualNumbers,
    private readonly outbox: OutboxWorker,
    private readonly hints: WorkHints,
    @Inject(Clock) private readonly clock: Clock,
    @Inject(ServiceLogger) private readonly logger: Logger,
  ) {
    const onError = (err: unknown) => logger.warn({ err }, 'due number returns not read, retrying');
    this.polling = new PollingLoop(() => this.step(), pollEveryMs, onError);
    hints.wakes(this.polling);
  }

  onApplicationBootstrap(): void {
    this.polling.start();
  }

  async onApplicationShutdown(): Promise<void> {
    await this.polling.stop();
  }

  async step(): Promise<PollResult> {
    const due = await this.repository.takeDueReturns({
      nowMs: this.clock.now(),
      leaseMs,
      limit: maxAtOnce,
    });
    if (due.length === 0) return this.hints.idleUntil(await this.repository.nextReturnMs());
    await Promise.all(
      due.map(async ({ purchaseId, attempts }) => {
        const purchase = await this.purchases.find(purchaseId);
        const context = callContext({ principal: 'sms-returns' });
        if (purchase) await this.returnNumber(purchase, context, attempts);
        // The purchase was declined, and its reference was claimed again with another id.
        else await this.repository.dropReturn(purchaseId);
      }),
    );
    return { kind: due.length === maxAtOnce ? 'more' : 'done' };
  }

  /** Postpones the return while a call waits for the number. Has no effect when the number was returned or used. */
  async postpone(purchase: Purchase, waitSeconds: number): Promise<void> {
    await this.repository.scheduleReturn(purchase.id, returnAtMs(this.clock.now(), waitSeconds));
  }

  /** Returns the number now, or as soon as the provider accepts it, because no call waits for it. */
  async abandon(purchase: Purchase, context: Traced): Promise<Cancelled | undefined> {
    try {
      // Stored before the attempt, because the process may stop in between.
      const isToBe = await this.repository.scheduleReturn(purchase.id, this.clock.now() + leaseMs);
      return isToBe ? await this.returnNumber(purchase, context, 0) : undefined;
    } catch (err) {
      // The return that was planned at the rental still applies.
      this.logger.warn({ purchaseId: purchase.id, err }, 'number return delayed');
      return undefined;
    }
  }

  /** Completes the purchase after a code arrived: the number is charged and not returned. */
  async complete(purchase: Purchase, context: Traced): Promise<void> {
    try {
      await this.end(purchase, 'completed', context);
    } catch (err) {
      // The call still returns the code. The planned return detects the code later.
      this.logger.warn({ purchaseId: purchase.id, err }, 'number completion not stored');
    }
  }

  private async returnNumber(
    purchase: Purchase,
    context: Traced,
    attempts: number,
  ): Promise<Cancelled | undefined> {
    const { id, providerId, status } = purchase;
    if (hasEnded(status)) return void (await this.repository.dropReturn(id));
    // The rental is still being reconciled.
    if (providerId === null) return void (await this.later(id, attempts));
    try {
      const cancelled = await this.numbers.cancel(providerId);
      if (cancelled === 'cancelled') await this.end(purchase, 'refunded', context);
      if (cancelled === 'received') await this.end(purchase, 'completed', context);
      // The purchase worker reads the outcome.
      if (cancelled === 'gone') await this.repository.dropReturn(id);
      if (cancelled === 'tooEarly') await this.later(id, attempts, purchase.createdAtMs + earliestCancelMs);
      return cancelled;
    } catch (err) {
      this.logger.warn({ purchaseId: id, err }, 'number return failed, retrying');
      await this.later(id, attempts);
      return undefined;
    }
  }

  /** Idempotent: after a crash before the row is dropped, it is repeated without effect. */
  private async end(purchase: Purchase, status: 'refunded' | 'completed', context: Traced): Promise<void> {
    const changed = await this.purchases.change(purchase, { status }, this.clock.now(), context);
    const isEnded = changed ?? (await this.purchases.find(purchase.id));
    if (!isEnded || hasEnded(isEnded.status)) await this.repository.dropReturn(purchase.id);
    this.outbox.wake();
  }

  private async later(purchaseId: string, attempts: number, notBeforeMs = 0): Promise<void> {
    const pauseMs = Math.min(firstPauseMs * 2 ** Math.min(attempts, 10), longestPauseMs);
    const nowMs = this.clock.now();
    await this.repository.scheduleReturn(purchaseId, notBeforeMs > nowMs ? notBeforeMs : nowMs + pauseMs);
  }
}
