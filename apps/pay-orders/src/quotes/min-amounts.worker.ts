import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { Clock, Leases, type Lease } from '@tollbridge/database';
import type { Logger } from '@tollbridge/observability';
import {
  PollingLoop,
  ServiceConfig,
  ServiceLogger,
  standingBy,
  WorkHints,
  type PollResult,
} from '@tollbridge/bootstrap';
import type { PayOrdersConfig } from '../config';
import { MinAmountProbe } from './min-amount-probe';
import { MinAmounts } from './min-amounts';

// Minimums depend on the chains' fees, which change within minutes at the fastest.
const roundMs = 10 * 60_000;
// The delay after a round that could not start.
const retryMs = 2_000;
// A replica that takes over starts a new round, and publishes its results after this many probes.
const publishEvery = 10;

/**
 * Measures the minimum amounts of the route provider, which does not publish them. One replica probes one route after
 * the other, and shares the results.
 */
@Injectable()
export class MinAmountsWorker implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly probing: PollingLoop;
  private lease: Lease | undefined;
  private next = 0;
  private roundStartMs = Number.NEGATIVE_INFINITY;

  constructor(
    private readonly amounts: MinAmounts,
    private readonly probe: MinAmountProbe,
    private readonly hints: WorkHints,
    private readonly leases: Leases,
    @Inject(Clock) private readonly clock: Clock,
    @Inject(ServiceConfig) private readonly config: PayOrdersConfig,
    @Inject(ServiceLogger) logger: Logger,
  ) {
    this.probing = new PollingLoop(
      () => this.step(),
      Math.max(config.PAY_ORDERS_PROBE_EVERY_MS, 1),
      (error) => logger.warn({ err: error }, 'minimum amounts refresh failed'),
    );
    hints.wakes(this.probing);
  }

  onApplicationBootstrap(): void {
    if (!this.probe.isActive || this.config.PAY_ORDERS_PROBE_EVERY_MS === 0) return;
    this.lease = this.leases.candidate('probe min-amounts');
    this.lease.onAcquired(() => this.probing.wake());
    this.probing.start();
  }

  async onApplicationShutdown(): Promise<void> {
    await this.probing.stop();
  }

  /** Probes one route. */
  private async step(): Promise<PollResult> {
    if (!this.lease?.isHeld) return standingBy;
    const nowMs = this.clock.now();
    const { routes } = this.probe;
    const route = routes[this.next]!;
    if (this.next === 0) {
      const nextMs = this.roundStartMs + roundMs;
      if (nowMs < nextMs) return this.hints.idleUntil(nextMs);
      const hasPrice = await this.probe.hasPrice(route);
      this.roundStartMs = hasPrice ? nowMs : nowMs - roundMs + retryMs;
      if (!hasPrice) return { kind: 'done' };
    }
    // Advanced first, because a route that fails each time must not block the others.
    this.next = (this.next + 1) % routes.length;
    try {
      await this.probe.run(route);
    } finally {
      if (this.next % publishEvery === 0) await this.amounts.publish();
    }
    return { kind: 'done' };
  }
}
