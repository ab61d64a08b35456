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

const lookEveryMs = 1_000;
const maxAtOnce = 10;
// Above the provider's time-out.
const leaseMs = 30_000;
const [firstPauseMs, longestPauseMs] = [5_000, 60_000];

type Traced = Pick<CallContext, 'requestId' | 'traceparent'>;

/**
 * Gives numbers back for which no code came, so that they are not paid for. What is to be given back stands in the
 * database; providers refuse it in the first two minutes, and then it is done later.
 */
@Injectable()
export class NumberReturns implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly look: PollingLoop;

  constructor(
    private readonly repository: SmsRepository,
    private readonly purchases: PurchasesRepository,
    @Inject(VirtualNumbers) private readonly numbers: VirtualNumbers,
    private readonly outbox: OutboxWorker,
    private readonly hints: WorkHints,
    @Inject(Clock) private readonly clock: Clock,
    @Inject(ServiceLogger) private readonly logger: Logger,
  ) {
    const onError = (err: unknown) =>
      logger.warn({ err }, 'numbers that are to be given back could not be read; trying again');
    this.look = new PollingLoop(() => this.step(), lookEveryMs, onError);
    hints.wakes(this.look);
  }

  onApplicationBootstrap(): void {
    this.look.start();
  }

  async onApplicationShutdown(): Promise<void> {
    await this.look.stop();
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
        if (purchase) await this.giveBack(purchase, context, attempts);
        // Refused, and claimed anew under another id.
        else await this.repository.dropReturn(purchaseId);
      }),
    );
    return due.length === maxAtOnce ? 'more' : 'done';
  }

  /** A call waits for the number from now on; nothing where the number was given back or used. */
  async postpone(purchase: Purchase, waitSeconds: number): Promise<void> {
    await this.repository.moveReturn(purchase.id, returnAtMs(this.clock.now(), waitSeconds));
  }

  /** Nobody waits any more: at once if the provider takes it back, otherwise as soon as it does. */
  async abandon(purchase: Purchase, context: Traced): Promise<Cancelled | undefined> {
    try {
      // Noted before it is tried: the process may end in between.
      const isToBe = await this.repository.moveReturn(purchase.id, this.clock.now() + leaseMs);
      return isToBe ? await this.giveBack(purchase, context, 0) : undefined;
    } catch (err) {
      // It was planned when the number was rented: then it is done.
      this.logger.warn({ purchaseId: purchase.id, err }, 'a number is given back later than it could be');
      return undefined;
    }
  }

  /** A code came: the number is paid for, and is not given back. */
  async keep(purchase: Purchase, context: Traced): Promise<void> {
    try {
      await this.end(purchase, 'completed', context);
    } catch (err) {
      // Who waits gets his code all the same; that it came is found out when it is to be given back.
      this.logger.warn({ purchaseId: purchase.id, err }, 'that a code came is noted later');
    }
  }

  private async giveBack(
    purchase: Purchase,
    context: Traced,
    attempts: number,
  ): Promise<Cancelled | undefined> {
    const { id, providerId, status } = purchase;
    if (hasEnded(status)) return void (await this.repository.dropReturn(id));
    // Whether it was rented at all is still being found out.
    if (providerId === null) return void (await this.later(id, attempts));
    try {
      const cancelled = await this.numbers.cancel(providerId);
      if (cancelled === 'cancelled') await this.end(purchase, 'refunded', context);
      if (cancelled === 'received') await this.end(purchase, 'completed', context);
      // What follows the purchase finds out how it ended.
      if (cancelled === 'gone') await this.repository.dropReturn(id);
      if (cancelled === 'tooEarly') await this.later(id, attempts, purchase.createdAtMs + earliestCancelMs);
      return cancelled;
    } catch (err) {
      this.logger.warn({ purchaseId: id, err }, 'a number could not be given back; trying again');
      await this.later(id, attempts);
      return undefined;
    }
  }

  /** A crash before the row is dropped only asks once more for what is done already. */
  private async end(purchase: Purchase, status: 'refunded' | 'completed', context: Traced): Promise<void> {
    const changed = await this.purchases.change(purchase, { status }, this.clock.now(), context);
    const isEnded = changed ?? (await this.purchases.find(purchase.id));
    if (!isEnded || hasEnded(isEnded.status)) await this.repository.dropReturn(purchase.id);
    this.outbox.wake();
  }

  private async later(purchaseId: string, attempts: number, notBeforeMs = 0): Promise<void> {
    const pauseMs = Math.min(firstPauseMs * 2 ** Math.min(attempts, 10), longestPauseMs);
    const nowMs = this.clock.now();
    await this.repository.moveReturn(purchaseId, notBeforeMs > nowMs ? notBeforeMs : nowMs + pauseMs);
  }
}
