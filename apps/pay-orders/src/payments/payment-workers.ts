import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { PollingLoop, ServiceLogger, WorkHints, type PollResult } from '@tollbridge/bootstrap';
import { ChainAdapters, type ChainAdapter } from '@tollbridge/chain-port';
import { Leases } from '@tollbridge/database';
import type { Logger } from '@tollbridge/observability';
import { ChainWatchers } from './chain-watchers';
import { DisplacedReportsWorker } from './displaced-reports.worker';
import { orderCreated } from '../orders/order';
import { ReportsWorker } from './reports.worker';

/** Runs for every chain a watcher, a verifier of reported transactions and a worker for displaced reports. */
@Injectable()
export class PaymentWorkers implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly jobs: PollingLoop[] = [];

  constructor(
    private readonly adapters: ChainAdapters,
    private readonly watchers: ChainWatchers,
    private readonly reports: ReportsWorker,
    private readonly displacedReports: DisplacedReportsWorker,
    private readonly hints: WorkHints,
    private readonly leases: Leases,
    @Inject(ServiceLogger) private readonly logger: Logger,
  ) {}

  onApplicationBootstrap(): void {
    for (const adapter of this.adapters.all) this.watch(adapter);
    this.hints.wakes(...this.jobs);
    for (const job of this.jobs) job.start();
  }

  async onApplicationShutdown(): Promise<void> {
    await Promise.all(this.jobs.map((job) => job.stop()));
  }

  private watch(adapter: ChainAdapter): void {
    // The chains are distributed over the replicas.
    const lease = this.leases.candidate(`watch ${adapter.chain.id}`, 'chains');
    const watcher = this.watchers.open(adapter, lease);
    const watching = this.loop(adapter, 'watch', () => watcher.step());
    lease.onAcquired(() => watching.wake());
    this.hints.onWork(() => watching.wake(), [orderCreated]);
    this.loop(adapter, 'verify reports', () => this.reports.step(adapter));
    this.loop(adapter, 'follow displaced reports', () => this.displacedReports.step(adapter));
  }

  private loop({ chain, pollIntervalMs }: ChainAdapter, job: string, step: () => Promise<PollResult>) {
    const loop = new PollingLoop(step, pollIntervalMs, (error) =>
      this.logger.warn({ chain: chain.id, job, err: error }, 'payment worker failed, retrying'),
    );
    this.jobs.push(loop);
    return loop;
  }
}
