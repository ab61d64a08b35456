import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import type { Logger } from '@tollbridge/observability';
import { PollingLoop, ServiceLogger, WorkHints, type PollResult } from '@tollbridge/bootstrap';
import { RefundAccounts } from './evm/refund-accounts';
import { RefundArrivals } from './evm/refund-arrivals';
import { isOutage } from './evm/refund-chain';
import { RefundForwarding } from './evm/refund-forwarding';
import { RefundAddressesRepository } from './refund-addresses.repository';
import { RefundsRepository, type DueRefund } from './refunds.repository';

// The block time of the fastest chains.
const pollEveryMs = 250;
// Longer than one step takes unless a node is down. Two replicas at the same time do no harm.
const leaseMs = 30_000;
const againAfterFailureMs = 5_000;
const maxAtOnce = 16;

/** Reads the addresses of the refund account and forwards refunds. Any number of replicas may run it. */
@Injectable()
export class RefundsWorker implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly attempt: PollingLoop;

  constructor(
    private readonly arrivals: RefundArrivals,
    private readonly addresses: RefundAddressesRepository,
    private readonly refunds: RefundsRepository,
    private readonly forward: RefundForwarding,
    private readonly accounts: RefundAccounts,
    private readonly hints: WorkHints,
    @Inject(ServiceLogger) private readonly logger: Logger,
  ) {
    const onError = (err: unknown) => logger.warn({ err }, 'refunds could not be read, retrying');
    this.attempt = new PollingLoop(() => this.step(), pollEveryMs, onError);
    hints.wakes(this.attempt);
  }

  onApplicationBootstrap(): void {
    if (this.accounts.isActive) this.attempt.start();
  }

  async onApplicationShutdown(): Promise<void> {
    await this.attempt.stop();
  }

  async step(): Promise<PollResult> {
    const addresses = await this.arrivals.readDue(leaseMs, maxAtOnce);
    const refunds = await this.refunds.takeDue(leaseMs, maxAtOnce);
    await Promise.all(refunds.map((due) => this.follow(due)));
    const most = Math.max(addresses, refunds.length);
    if (most === 0) return this.hints.idleUntil(await this.nextDueMs());
    return { kind: most === maxAtOnce ? 'more' : 'done' };
  }

  private async nextDueMs(): Promise<number | null> {
    const times = await Promise.all([this.addresses.nextCheckMs(), this.refunds.nextDueMs()]);
    const due = times.filter((time) => time !== null);
    return due.length === 0 ? null : Math.min(...due);
  }

  private async follow(due: DueRefund): Promise<void> {
    try {
      await this.forward.follow(due);
    } catch (err) {
      const about = { refundId: due.id, orderId: due.orderId, err };
      if (isOutage(err)) this.logger.warn(about, 'refund could not be followed, retrying');
      else this.logger.error(about, 'refund could not be followed, retrying');
      await this.refunds.postpone(
        due.id,
        againAfterFailureMs,
        'the chain or the route provider does not answer',
      );
    }
  }
}
