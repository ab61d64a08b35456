import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { OutboxWorker, PollingLoop, ServiceLogger, WorkHints } from '@tollbridge/bootstrap';
import { ChainAdapters, type ChainAdapter } from '@tollbridge/chain-port';
import { Clock, Leases } from '@tollbridge/database';
import type { Logger } from '@tollbridge/observability';
import { TokenPrices } from '../prices/token-prices';
import { ChainFigures } from './chain-figures';
import { ChainWatcher } from './chain-watcher.worker';
import { DisplacedReportsRepository } from './displaced-reports.repository';
import { DisplacedReportsWorker } from './displaced-reports.worker';
import { PaymentsRepository } from './payments.repository';
import { ReportsWorker } from './reports.worker';

/** Runs a watcher, a verifier of reported transactions and a follower of displaced ones for every chain. */
@Injectable()
export class PaymentWorkers implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly jobs: PollingLoop[] = [];

  constructor(
    private readonly adapters: ChainAdapters,
    private readonly payments: PaymentsRepository,
    private readonly displaced: DisplacedReportsRepository,
    private readonly prices: TokenPrices,
    private readonly outbox: OutboxWorker,
    private readonly hints: WorkHints,
    private readonly figures: ChainFigures,
    private readonly leases: Leases,
    @Inject(Clock) private readonly clock: Clock,
    @Inject(ServiceLogger) private readonly logger: Logger,
  ) {}

  onApplicationBootstrap(): void {
    for (const adapter of this.adapters.all) this.watch(adapter);
    for (const job of this.jobs) job.start();
  }

  async onApplicationShutdown(): Promise<void> {
    await Promise.all(this.jobs.map((job) => job.stop()));
  }

  private watch(adapter: ChainAdapter): void {
    const { payments, displaced, prices, hints, figures, clock, logger } = this;
    figures.add(adapter.chain.id);
    // The chains are spread over the replicas.
    const lease = this.leases.candidate(`watch ${adapter.chain.id}`, 'chains');
    const parts = {
      adapter,
      others: this.adapters.all.filter((other) => other !== adapter),
      lease,
      payments,
      displaced,
      prices,
      hints,
      figures,
      clock,
      logger,
      onApplied: () => this.outbox.wake(),
    };
    const watcher = new ChainWatcher(parts);
    const reports = new ReportsWorker(parts);
    const displacedReports = new DisplacedReportsWorker(parts);
    const warn = (job: string) => (error: unknown) =>
      logger.warn({ chain: adapter.chain.id, job, err: error }, 'payment worker failed, retrying');
    const watching = new PollingLoop(() => watcher.step(), adapter.pollIntervalMs, warn('watch'));
    const verifying = new PollingLoop(() => reports.step(), adapter.pollIntervalMs, warn('verify reports'));
    const following = new PollingLoop(
      () => displacedReports.step(),
      adapter.pollIntervalMs,
      warn('follow displaced reports'),
    );
    lease.onAcquired(() => watching.wake());
    hints.wakes(watching, verifying, following);
    this.jobs.push(watching, verifying, following);
  }
}
