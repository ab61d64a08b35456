import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { callContext } from '@tollbridge/rpc';
import { Clock } from '@tollbridge/database';
import type { Logger } from '@tollbridge/observability';
import { OutboxWorker, PollingLoop, ServiceLogger, WorkHints, type PollResult } from '@tollbridge/bootstrap';
import { nextCheckAt, type Purchase, type Refusal } from './purchase';
import { PurchaseKinds, type PurchaseKind } from './purchase-kind';
import { changeTo, leaseMs } from './purchases';
import { PurchasesRepository, type NamedPurchases, type PurchaseChange } from './purchases.repository';

const lookEveryMs = 1_000;
const maxAtOnce = 20;
// Above every time-out of one question.
const lookLeaseMs = 120_000;

/** Finds out what became of purchases whose answer was lost, and follows those that take their time. */
@Injectable()
export class PurchasesWorker implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly look: PollingLoop;
  private readonly kinds: ReadonlyMap<string, PurchaseKind>;

  constructor(
    private readonly repository: PurchasesRepository,
    private readonly outbox: OutboxWorker,
    private readonly hints: WorkHints,
    @Inject(PurchaseKinds) kinds: readonly PurchaseKind[],
    @Inject(Clock) private readonly clock: Clock,
    @Inject(ServiceLogger) private readonly logger: Logger,
  ) {
    this.kinds = new Map(kinds.map((kind) => [kind.kind, kind]));
    const onError = (error: unknown) =>
      logger.warn({ err: error }, 'purchases could not be looked up; trying again');
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
    const kinds = [...this.kinds.keys()];
    const leased = { nowMs: this.clock.now(), leaseMs: lookLeaseMs, limit: maxAtOnce };
    const due = await this.repository.takeDue(kinds, leased);
    if (due.length === 0) return this.hints.idleUntil(await this.repository.nextDueMs(kinds));
    await Promise.all(due.map((purchase) => this.follow(purchase)));
    this.outbox.wake();
    return due.length === maxAtOnce ? 'more' : 'done';
  }

  /** Asks at once about those that are under way, whenever their turn is. Answers how many there are. */
  async lookAt(kinds: readonly string[], named: NamedPurchases): Promise<number> {
    const leased = { nowMs: this.clock.now(), leaseMs: lookLeaseMs, limit: maxAtOnce };
    const found = await this.repository.takeNamed(kinds, named, leased);
    await Promise.all(found.map((purchase) => this.follow(purchase)));
    if (found.length > 0) this.outbox.wake();
    return found.length;
  }

  private async follow(purchase: Purchase): Promise<void> {
    const { id, kind, status } = purchase;
    try {
      const change = await this.changeOf(this.kinds.get(kind)!, purchase);
      if (change.status === status) return await this.repository.postpone(purchase, change.checkAtMs);
      const told = callContext({ principal: 'purchases' });
      await this.repository.change(purchase, change, this.clock.now(), told);
      const found = { purchaseId: id, kind, from: status, to: change.status };
      this.logger.info(found, 'it was found out how far a purchase is');
    } catch (err) {
      this.logger.warn({ purchaseId: id, kind, err }, 'a purchase could not be looked up; trying again');
      await this.repository.postpone(purchase, nextCheckAt(purchase.checks, this.clock.now()));
    }
  }

  private async changeOf(kind: PurchaseKind, purchase: Purchase): Promise<PurchaseChange> {
    const { id, terms, status, checks, providerId, createdAtMs } = purchase;
    const open = status === 'pending' ? status : 'unknown';
    // A person must look: this provider cannot be asked.
    if (!kind.find) return { status: open };
    const found = await kind.find(id, terms, { providerId, askedAtMs: createdAtMs });
    const nowMs = this.clock.now();
    if (found) return changeTo(found, purchase, nowMs);
    // It may still be doing what it was asked for; and what it has once told of does not vanish.
    const isSure = nowMs >= createdAtMs + leaseMs + kind.settleMs;
    if (status === 'pending' || !isSure) return { status: open, checkAtMs: nextCheckAt(checks, nowMs) };
    return { status: 'refused', refusal: neverMade };
  }
}

const neverMade: Refusal = {
  code: 'UPSTREAM_UNAVAILABLE',
  message: 'The provider has no record of this purchase, so it was not made. Repeat the call.',
};
