import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { callContext } from '@tollbridge/rpc';
import { Clock } from '@tollbridge/database';
import type { Logger } from '@tollbridge/observability';
import { OutboxWorker, PollingLoop, ServiceLogger, WorkHints, type PollResult } from '@tollbridge/bootstrap';
import { nextCheckAt, type Purchase, type Rejection } from './purchase';
import { PurchaseKinds, type PurchaseKind } from './purchase-kind';
import { changeTo } from './purchase-outcomes';
import { PurchasePollsRepository, type NamedPurchases } from './purchase-polls.repository';
import { leaseMs } from './purchases';
import { PurchasesRepository, type PurchaseChange } from './purchases.repository';

const pollEveryMs = 1_000;
const maxConcurrent = 20;
// Longer than the time-out of every lookup.
const pollLeaseMs = 120_000;

/** Polls providers for pending purchases, and reconciles unknown outcomes. */
@Injectable()
export class PurchasesWorker implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly polling: PollingLoop;
  private readonly kinds: ReadonlyMap<string, PurchaseKind>;

  constructor(
    private readonly repository: PurchasesRepository,
    private readonly polls: PurchasePollsRepository,
    private readonly outbox: OutboxWorker,
    private readonly hints: WorkHints,
    @Inject(PurchaseKinds) kinds: readonly PurchaseKind[],
    @Inject(Clock) private readonly clock: Clock,
    @Inject(ServiceLogger) private readonly logger: Logger,
  ) {
    this.kinds = new Map(kinds.map((kind) => [kind.kind, kind]));
    const onError = (err: unknown) => logger.warn({ err }, 'due purchases not read, retrying');
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
    const kinds = [...this.kinds.keys()];
    const due = await this.polls.takeDue(kinds, this.lease());
    if (due.length === 0) return this.hints.idleUntil(await this.polls.nextDueMs(kinds));
    await Promise.all(due.map((purchase) => this.poll(purchase)));
    this.outbox.wake();
    return { kind: due.length === maxConcurrent ? 'more' : 'done' };
  }

  /** Polls the open purchases of a webhook now. Returns their number. */
  async pollNamed(kinds: readonly string[], named: NamedPurchases): Promise<number> {
    const found = await this.polls.takeNamed(kinds, named, this.lease());
    await Promise.all(found.map((purchase) => this.poll(purchase)));
    if (found.length > 0) this.outbox.wake();
    return found.length;
  }

  private lease() {
    return { nowMs: this.clock.now(), leaseMs: pollLeaseMs, limit: maxConcurrent };
  }

  private async poll(purchase: Purchase): Promise<void> {
    const { id, kind, status } = purchase;
    try {
      const change = await this.changeOf(this.kinds.get(kind)!, purchase);
      if (change.status === status) return await this.polls.postpone(purchase, change.checkAtMs);
      const context = callContext({ principal: 'purchases' });
      await this.repository.change(purchase, change, this.clock.now(), context);
      this.logger.info({ purchaseId: id, kind, from: status, to: change.status }, 'purchase status changed');
    } catch (err) {
      this.logger.warn({ purchaseId: id, kind, err }, 'purchase lookup failed, retrying');
      await this.polls.postpone(purchase, nextCheckAt(purchase.checks, this.clock.now()));
    }
  }

  private async changeOf(kind: PurchaseKind, purchase: Purchase): Promise<PurchaseChange> {
    const { id, terms, status, checks, provider, providerId, createdAtMs } = purchase;
    const openStatus = status === 'pending' ? status : 'unknown';
    // Without a lookup, an operator must reconcile the purchase.
    if (!kind.find) return { status: openStatus };
    const found = await kind.find(id, terms, { provider, providerId, askedAtMs: createdAtMs });
    const nowMs = this.clock.now();
    if (found) return changeTo(found, purchase, nowMs);
    // A miss proves nothing within the settle time, or when the provider has reported the purchase before.
    const isProof = status !== 'pending' && nowMs >= createdAtMs + leaseMs + kind.settleMs;
    return isProof
      ? { status: 'refused', refusal: neverMade }
      : { status: openStatus, checkAtMs: nextCheckAt(checks, nowMs) };
  }
}

const neverMade: Rejection = {
  code: 'UPSTREAM_UNAVAILABLE',
  message: 'The provider has no record of this purchase, so it was not made. Repeat the call.',
};
