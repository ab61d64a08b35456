import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { Clock } from '@tollbridge/database';
import type { Logger } from '@tollbridge/observability';
import { PollingLoop, ServiceLogger, WorkHints, type PollResult } from '@tollbridge/bootstrap';
import { DepositChecks } from './deposit-checks';
import { DepositsRepository } from './deposits.repository';
import { RouteCommitsRepository } from './route-commits.repository';
import { RouteProvider } from './route-provider';

const pollEveryMs = 250;
const maxAtOnce = 24;
// Longer than the slowest reply, so that no other replica checks the same deposit meanwhile.
const leaseMs = 30_000;
// Far longer than the time-out of a request for a deposit address.
const lostRequestMs = 5 * 60_000;

/**
 * Checks the deposits of cross-chain orders until their final state. Any number of replicas may run it. One replica at
 * a time leases a deposit, and findings are evaluated under the order's lock.
 */
@Injectable()
export class DepositFollower implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly follow: PollingLoop;

  constructor(
    private readonly provider: RouteProvider,
    private readonly deposits: DepositsRepository,
    private readonly commits: RouteCommitsRepository,
    private readonly checks: DepositChecks,
    private readonly hints: WorkHints,
    @Inject(Clock) private readonly clock: Clock,
    @Inject(ServiceLogger) private readonly logger: Logger,
  ) {
    const onError = (error: unknown) => logger.warn({ err: error }, 'deposit check failed, retrying');
    this.follow = new PollingLoop(() => this.step(), pollEveryMs, onError);
    hints.wakes(this.follow);
  }

  onApplicationBootstrap(): void {
    if (this.provider.routes) this.follow.start();
  }

  async onApplicationShutdown(): Promise<void> {
    await this.follow.stop();
  }

  async step(): Promise<PollResult> {
    const { routes } = this.provider;
    const nowMs = this.clock.now();
    if (!routes || this.checks.isPaused(nowMs)) return { kind: 'done' };
    await this.closeLostRequests(nowMs);
    const due = await this.deposits.takeDue(nowMs, maxAtOnce, leaseMs);
    if (due.length === 0) return this.hints.idleUntil(await this.deposits.nextCheckMs());
    await Promise.all(due.map((deposit) => this.checks.check(routes, deposit)));
    return { kind: due.length === maxAtOnce ? 'more' : 'done' };
  }

  private async closeLostRequests(nowMs: number): Promise<void> {
    for (const orderId of await this.commits.closeLostRequests(nowMs - lostRequestMs, nowMs))
      this.logger.warn({ orderId }, 'deposit address may exist unknown to any client');
  }
}
