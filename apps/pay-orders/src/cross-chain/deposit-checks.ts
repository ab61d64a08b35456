import { Inject, Injectable } from '@nestjs/common';
import { Clock } from '@tollbridge/database';
import type { Logger } from '@tollbridge/observability';
import { ProviderError } from '@tollbridge/http';
import type { CrossChainRoutes, RouteStatus } from '@tollbridge/routing';
import { OutboxWorker, ServiceConfig, ServiceLogger } from '@tollbridge/bootstrap';
import type { PayOrdersConfig } from '../config';
import { DepositVerdicts } from './deposit-verdicts';
import { DepositsRepository, type DueDeposit } from './deposits.repository';

/** Requests the status of deposits from the route provider. A failed check is repeated. */
@Injectable()
export class DepositChecks {
  /** From the provider's `Retry-After`. */
  private pausedUntilMs = 0;

  constructor(
    private readonly deposits: DepositsRepository,
    private readonly verdicts: DepositVerdicts,
    private readonly outbox: OutboxWorker,
    @Inject(Clock) private readonly clock: Clock,
    @Inject(ServiceConfig) private readonly config: PayOrdersConfig,
    @Inject(ServiceLogger) private readonly logger: Logger,
  ) {}

  /** Whether a pause that the provider requested has not ended. */
  isPaused(nowMs: number): boolean {
    return nowMs < this.pausedUntilMs;
  }

  async check(routes: CrossChainRoutes, due: DueDeposit): Promise<void> {
    const { orderId } = due;
    try {
      await this.submitReport(routes, due);
      const status = await routes.status(due.deposit);
      if (status) await this.apply(due, status);
      else this.logger.error({ orderId }, 'route provider does not know a deposit address that it issued');
    } catch (error) {
      // A failed request proves nothing, so the deposit is checked again.
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
    const { problem, changes } = await this.verdicts.apply(due, status);
    const { orderId } = due;
    if (problem && problem !== due.problem)
      this.logger.error({ orderId, deliveryTxs: status.deliveryTxs }, problem);
    if (changes.length === 0) return;
    this.logger.info(
      { orderId, deposit: status.state, events: changes.map(({ event }) => event) },
      'deposit changed its order',
    );
    this.outbox.wake();
  }
}
