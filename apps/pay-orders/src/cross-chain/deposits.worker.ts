import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { callContext } from '@tollbridge/rpc';
import { Clock } from '@tollbridge/database';
import type { Logger } from '@tollbridge/observability';
import { ProviderError } from '@tollbridge/http';
import type { CrossChainRoutes, RouteStatus } from '@tollbridge/routing';
import {
  OutboxWorker,
  PollingLoop,
  ServiceConfig,
  ServiceLogger,
  WorkHints,
  type PollResult,
} from '@tollbridge/bootstrap';
import { Deployments } from '../chains/deployments';
import type { PayOrdersConfig } from '../config';
import { TokenPrices } from '../prices/token-prices';
import { Deliveries } from './deliveries';
import type { Delivery } from './deposit';
import { nextCheckAt } from './deposit-schedule';
import { DepositsRepository, type DueDeposit } from './deposits.repository';
import { RouteCommitsRepository } from './route-commits.repository';
import { RouteProvider } from './route-provider';

const pollEveryMs = 250;
const maxAtOnce = 24;
// Longer than the slowest reply: no other replica takes a deposit that is being checked.
const leaseMs = 30_000;
// Far longer than the timeout of a request for a deposit address.
const lostRequestMs = 5 * 60_000;

/**
 * Follows the deposits of cross-chain orders until their final state. Any number of replicas may run it: one at a time
 * leases a deposit, and findings are evaluated under the order's lock.
 */
@Injectable()
export class DepositFollower implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly follow: PollingLoop;
  /** `Retry-After` of the provider. */
  private pausedUntilMs = 0;

  constructor(
    private readonly provider: RouteProvider,
    private readonly deposits: DepositsRepository,
    private readonly commits: RouteCommitsRepository,
    private readonly outbox: OutboxWorker,
    private readonly prices: TokenPrices,
    private readonly deployments: Deployments,
    private readonly hints: WorkHints,
    private readonly deliveries: Deliveries,
    @Inject(Clock) private readonly clock: Clock,
    @Inject(ServiceConfig) private readonly config: PayOrdersConfig,
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
    if (!routes || nowMs < this.pausedUntilMs) return 'done';
    await this.closeLostRequests(nowMs);
    const due = await this.deposits.takeDue(nowMs, maxAtOnce, leaseMs);
    if (due.length === 0) return this.hints.idleUntil(await this.deposits.nextCheckMs());
    await Promise.all(due.map((deposit) => this.check(routes, deposit)));
    return due.length === maxAtOnce ? 'more' : 'done';
  }

  private async check(routes: CrossChainRoutes, due: DueDeposit): Promise<void> {
    const { orderId } = due;
    try {
      await this.submitReport(routes, due);
      const status = await routes.status(due.deposit);
      if (status) await this.apply(due, status);
      else this.logger.error({ orderId }, 'route provider does not know a deposit address that it issued');
    } catch (error) {
      // A failed request proves nothing: check the deposit again.
      if (error instanceof ProviderError && error.retryAfterMs)
        this.pausedUntilMs = Math.max(this.pausedUntilMs, this.clock.now() + error.retryAfterMs);
      this.logger.warn({ orderId, err: error }, 'deposit status unavailable, retrying');
      const checkAtMs = this.clock.now() + this.config.PAY_ORDERS_DEPOSIT_POLL_MS;
      await this.deposits.postpone(orderId, checkAtMs).catch(() => undefined);
    }
  }

  /** Submits the payer's transaction to the provider, which then finds the deposit earlier. */
  private async submitReport(
    routes: CrossChainRoutes,
    { orderId, deposit, reportedTx }: DueDeposit,
  ): Promise<void> {
    if (reportedTx === null) return;
    try {
      await routes.submitDeposit(deposit, reportedTx);
    } catch (error) {
      if (!(error instanceof ProviderError) || error.kind !== 'rejected') throw error;
      // The payer reported a wrong hash.
      this.logger.info({ orderId, txHash: reportedTx }, 'route provider rejected a reported transaction');
    }
    await this.deposits.recordSubmitted(orderId, reportedTx);
  }

  private async apply(due: DueDeposit, status: RouteStatus): Promise<void> {
    const delivery: Delivery =
      status.state === 'delivered'
        ? await this.deliveries.read(due, status.deliveryTxs)
        : { kind: 'pending' };
    const nowMs = this.clock.now();
    const nextCheckAtMs = nextCheckAt(due, status.state, nowMs, this.config.PAY_ORDERS_DEPOSIT_POLL_MS);
    const context = callContext({ principal: 'deposits' });
    const valueOf = this.prices.valuesOf(this.deployments.known(due.settleChain)!);
    const findings = { status, delivery, valueOf, nowMs, nextCheckAtMs };
    const verdict = await this.deposits.apply(due, findings, context);
    const { orderId } = due;
    if (verdict.problem && verdict.problem !== due.problem)
      this.logger.error({ orderId, deliveryTxs: status.deliveryTxs }, verdict.problem);
    if (verdict.changes.length === 0) return;
    this.logger.info(
      { orderId, deposit: status.state, events: verdict.changes.map(({ event }) => event) },
      'deposit changed its order',
    );
    this.outbox.wake();
  }

  private async closeLostRequests(nowMs: number): Promise<void> {
    for (const orderId of await this.commits.closeLostRequests(nowMs - lostRequestMs, nowMs))
      this.logger.warn({ orderId }, 'deposit address may exist unknown to any client');
  }
}
