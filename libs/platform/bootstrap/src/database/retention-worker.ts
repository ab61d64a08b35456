import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import {
  Clock,
  Database,
  isPruning,
  prunedEveryMs,
  Pruner,
  retentionOf,
  type PrunedTable,
} from '@tollbridge/database';
import { Metrics, type Logger } from '@tollbridge/observability';
import { setTimeout as pause } from 'node:timers/promises';
import { PollingLoop, type PollResult } from '../work/polling-loop';
import { RetentionMetrics } from './retention-metrics';
import { periodMsOf, requireRetention } from './retention-settings';
import { ServiceConfig, ServiceLogger } from '../bus/service-tokens';

// Pruning must not slow down the start.
const firstAfterMs = 30_000;
// The pause leaves most of the database's time to requests. It limits pruning to a few thousand rows a second.
const batchPauseMs = 200;

/** Prunes the tables of this app in every replica. A row lock lets one replica at a time prune a table. */
@Injectable()
export class RetentionWorker implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly loop: PollingLoop;
  private readonly pruner: Pruner;
  private readonly measured: RetentionMetrics;
  private readonly tables: PrunedTable[];
  private readonly failingSinceMs = new Map<string, number>();
  private readonly stopping = new AbortController();
  private firstRun: NodeJS.Timeout | undefined;

  constructor(
    { pool, dataSource }: Database,
    @Inject(Clock) private readonly clock: Clock,
    @Inject(ServiceConfig) config: Record<string, unknown>,
    metrics: Metrics,
    @Inject(ServiceLogger) private readonly logger: Logger,
  ) {
    requireRetention(config);
    this.pruner = new Pruner({ pool, nowMs: () => clock.now() });
    this.measured = new RetentionMetrics(metrics);
    this.tables = dataSource.entityMetadatas.flatMap(({ target, tableName }) => {
      const policy = retentionOf(target);
      const periodMs = policy && isPruning(policy) ? periodMsOf(policy.days, config) : undefined;
      return periodMs === undefined ? [] : [{ table: tableName, policy, periodMs } as PrunedTable];
    });
    const onError = (error: unknown) => logger.warn({ err: error }, 'pruning failed, retrying');
    this.loop = new PollingLoop(() => this.step(), prunedEveryMs, onError);
  }

  onApplicationBootstrap(): void {
    for (const { table } of this.tables) this.measured.begin(table);
    if (this.tables.length === 0) return;
    this.firstRun = setTimeout(() => this.loop.start(), firstAfterMs);
    this.firstRun.unref();
  }

  async onApplicationShutdown(): Promise<void> {
    clearTimeout(this.firstRun);
    this.stopping.abort();
    await this.loop.stop();
  }

  /** Prunes one batch of each table. */
  async step(): Promise<PollResult> {
    let isMore = false;
    for (const table of this.tables) {
      if (this.stopping.signal.aborted) return { kind: 'done' };
      if (await this.prune(table)) isMore = true;
    }
    if (!isMore) return { kind: 'done' };
    await pause(batchPauseMs, undefined, { signal: this.stopping.signal }).catch(() => undefined);
    return { kind: 'more' };
  }

  private async prune(pruned: PrunedTable): Promise<boolean> {
    const { table } = pruned;
    try {
      const { state, rows, overdueMs } = await this.pruner.batch(pruned);
      this.failingSinceMs.delete(table);
      if (state === 'standby') this.measured.standby(table);
      else this.measured.pruned(table, rows, overdueMs);
      return state === 'more';
    } catch (error) {
      // The other tables are still pruned.
      const sinceMs = this.failingSinceMs.get(table) ?? this.clock.now();
      this.failingSinceMs.set(table, sinceMs);
      this.measured.failing(table, this.clock.now() - sinceMs);
      this.logger.warn({ err: error, table }, 'table not pruned, retrying');
      return false;
    }
  }
}
