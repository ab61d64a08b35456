import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { callContext } from '@tollbridge/rpc';
import { Clock } from '@tollbridge/database';
import type { Logger } from '@tollbridge/observability';
import { OutboxWorker, PollingLoop, ServiceLogger, WorkHints, type PollResult } from '@tollbridge/bootstrap';
import { Deployments } from '../chains/deployments';
import { OrdersRepository } from './storage/orders.repository';

const sweepEveryMs = 500;
const maxAtOnce = 500;

/** Expires unpaid orders. Any number of replicas may run it, because the row lock lets each order expire only once. */
@Injectable()
export class OrderExpiry implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly sweep: PollingLoop;
  private readonly watchedChains: string[];

  constructor(
    private readonly orders: OrdersRepository,
    private readonly outbox: OutboxWorker,
    private readonly hints: WorkHints,
    deployments: Deployments,
    @Inject(Clock) private readonly clock: Clock,
    @Inject(ServiceLogger) private readonly logger: Logger,
  ) {
    this.watchedChains = deployments.chains.map(({ id }) => id);
    const onError = (error: unknown) => logger.warn({ err: error }, 'order expiry failed, retrying');
    this.sweep = new PollingLoop(() => this.step(), sweepEveryMs, onError);
    hints.wakes(this.sweep);
  }

  onApplicationBootstrap(): void {
    this.sweep.start();
  }

  /** Searches for expired orders now. */
  wake(): void {
    this.sweep.wake();
  }

  async onApplicationShutdown(): Promise<void> {
    await this.sweep.stop();
  }

  async step(): Promise<PollResult> {
    const nowMs = this.clock.now();
    const due = await this.orders.dueIds(nowMs, this.watchedChains, maxAtOnce);
    if (due.length === 0) return this.hints.idleUntil(await this.orders.nextExpiryMs());
    const expired = await this.orders.expire(due, nowMs, callContext({ principal: 'expiry' }));
    this.logger.info({ expired: expired.length }, 'orders expired');
    this.outbox.wake();
    return { kind: due.length === maxAtOnce ? 'more' : 'done' };
  }
}
