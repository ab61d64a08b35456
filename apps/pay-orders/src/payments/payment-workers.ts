import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import type { DeployedChain } from '@tollbridge/chains';
import { Clock } from '@tollbridge/database';
import type { Logger } from '@tollbridge/observability';
import { OutboxWorker, PollingLoop, ServiceLogger, WorkHints } from '@tollbridge/bootstrap';
import { ChainRpcs } from '../chains/chain-rpcs';
import { Deployments } from '../chains/deployments';
import { TokenPrices } from '../prices/token-prices';
import { ChainWatcher } from './chain-watcher.worker';
import { PaymentsRepository } from './payments.repository';
import { ReportedTransactions } from './reported-transactions.worker';

/** Runs a watcher and a judge of reported transactions for every chain of this deployment. */
@Injectable()
export class PaymentWorkers implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly jobs: PollingLoop[] = [];
  private readonly watchers: ChainWatcher[] = [];

  constructor(
    private readonly deployments: Deployments,
    private readonly rpcs: ChainRpcs,
    private readonly payments: PaymentsRepository,
    private readonly prices: TokenPrices,
    private readonly outbox: OutboxWorker,
    private readonly hints: WorkHints,
    @Inject(Clock) private readonly clock: Clock,
    @Inject(ServiceLogger) private readonly logger: Logger,
  ) {}

  onApplicationBootstrap(): void {
    for (const chain of this.deployments.chains) this.watch(chain);
    for (const job of this.jobs) job.start();
  }

  async onApplicationShutdown(): Promise<void> {
    await Promise.all(this.jobs.map((job) => job.stop()));
    for (const watcher of this.watchers) watcher.close();
  }

  private watch(chain: DeployedChain): void {
    const { payments, prices, hints, clock, logger } = this;
    const rpc = this.rpcs.find(chain.id)!;
    const parts = { chain, rpc, payments, prices, hints, clock, logger, onApplied: () => this.outbox.wake() };
    const watcher = new ChainWatcher(parts);
    const judge = new ReportedTransactions(parts);
    const warn = (job: string) => (error: unknown) =>
      logger.warn({ chain: chain.id, job, err: error }, 'a worker failed and tries again');
    this.watchers.push(watcher);
    const watching = new PollingLoop(() => watcher.step(), chain.pollIntervalMs, warn('watch'));
    const judging = new PollingLoop(() => judge.step(), chain.pollIntervalMs, warn('judge'));
    hints.wakes(watching, judging);
    this.jobs.push(watching, judging);
  }
}
