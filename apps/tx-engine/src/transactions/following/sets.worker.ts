import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { callContext } from '@tollbridge/rpc';
import { Clock, Leases, type Lease } from '@tollbridge/database';
import type { Logger } from '@tollbridge/observability';
import {
  OutboxWorker,
  PollingLoop,
  ServiceLogger,
  standingBy,
  WorkHints,
  type PollResult,
} from '@tollbridge/bootstrap';
import { EvmChains } from '../../chains/evm-chains';
import { QuotesRepository } from '../../quotes/quotes.repository';
import { setTimeout as pause } from 'node:timers/promises';
import { SetFollower } from './set-follower';
import { SetsRepository } from '../storage/sets.repository';
import { shardCount, shardOf } from '../storage/set-shards';
import { transition, type TransactionSet } from '../transaction-set';

// More concurrent polls would only queue at the same nodes.
const maxAtOnce = 64;
// The pause after a poll that failed.
const afterErrorMs = 2_000;
const warnEveryMs = 1_000;
const expireEveryMs = 1_000;
const cleanEveryMs = 60_000;
// For support cases.
const quoteRetentionMs = 24 * 60 * 60_000;
const maxDeleted = 5_000;

/** Polls open sets, expires unsigned ones, and deletes old quotes. */
@Injectable()
export class SetsWorker implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly jobs: PollingLoop[];
  /** The open sets are split into shards, which are spread over the replicas. */
  private readonly shards: Lease[];
  private readonly everyMs: number;
  /** The running polls by set id. */
  private readonly polls = new Map<string, Promise<void>>();
  private failures = 0;
  private warnedAtMs = -Infinity;

  constructor(
    private readonly sets: SetsRepository,
    private readonly quotes: QuotesRepository,
    private readonly follower: SetFollower,
    private readonly outbox: OutboxWorker,
    private readonly hints: WorkHints,
    chains: EvmChains,
    leases: Leases,
    @Inject(Clock) private readonly clock: Clock,
    @Inject(ServiceLogger) private readonly logger: Logger,
  ) {
    this.everyMs = Math.min(...chains.all.map(({ pollIntervalMs }) => pollIntervalMs), 1_000);
    const warn = (job: string) => (error: unknown) =>
      logger.warn({ job, err: error }, 'worker job failed, retrying');
    const following = new PollingLoop(() => this.follow(), this.everyMs, warn('follow'));
    this.shards = Array.from({ length: shardCount }, (_, shard) =>
      leases.candidate(`follow sets ${shard}`, 'sets'),
    );
    for (const shard of this.shards) shard.onAcquired(() => following.wake());
    this.jobs = [
      following,
      new PollingLoop(() => this.expire(), expireEveryMs, warn('expire')),
      new PollingLoop(() => this.clean(), cleanEveryMs, warn('clean')),
    ];
    hints.wakes(...this.jobs);
  }

  onApplicationBootstrap(): void {
    for (const job of this.jobs) job.start();
  }

  async onApplicationShutdown(): Promise<void> {
    await Promise.all(this.jobs.map((job) => job.stop()));
    await Promise.all(this.polls.values());
  }

  /** Polls all due sets of the shards that this replica leads. A slow poll does not delay the others. */
  private async follow(): Promise<PollResult> {
    const shards = [...this.shards.keys()].filter((shard) => this.shards[shard]!.isHeld);
    if (shards.length === 0) return standingBy;
    const free = maxAtOnce - this.polls.size;
    const due =
      free > 0
        ? await this.sets.due({ nowMs: this.clock.now(), shards, limit: free, but: [...this.polls.keys()] })
        : [];
    for (const set of due)
      this.polls.set(
        set.id,
        this.leads(set, () => this.poll(set)).finally(() => this.polls.delete(set.id)),
      );
    if (this.polls.size === 0) return this.hints.idleUntil(await this.sets.nextCheckMs(shards));
    const isFull = free > 0 && due.length === free;
    await Promise.race([Promise.all(this.polls.values()), pause(this.everyMs)]);
    return isFull ? 'more' : 'done';
  }

  /** The shard is handed over after the poll. */
  private async leads(set: TransactionSet, poll: () => Promise<void>): Promise<void> {
    await this.shards[shardOf(set.id)]!.run(poll);
  }

  private async poll(set: TransactionSet): Promise<void> {
    try {
      if (await this.follower.poll(set)) this.outbox.wake();
    } catch (error) {
      this.warn(set.id, error);
      // If the database is what fails, the set is due immediately.
      const checkAtMs = this.clock.now() + afterErrorMs;
      await this.sets.postpone({ id: set.id, checkAtMs }).catch(() => undefined);
    }
  }

  /** Logs one failure for all: an unavailable chain fails every set on it. */
  private warn(setId: string, error: unknown): void {
    const nowMs = performance.now();
    this.failures++;
    if (nowMs - this.warnedAtMs < warnEveryMs) return;
    this.logger.warn(
      { setId, failures: this.failures, err: error },
      'transaction set polls failed, retrying',
    );
    this.warnedAtMs = nowMs;
    this.failures = 0;
  }

  private async expire(): Promise<PollResult> {
    const nowMs = this.clock.now();
    const late = await this.sets.unsigned(nowMs, maxAtOnce);
    if (late.length === 0) return this.hints.idleUntil(await this.sets.nextUnsignedMs());
    const context = callContext({ principal: 'follower' });
    for (const set of late) {
      const after = { ...transition(set, 'expired'), endedAtMs: nowMs };
      await this.sets.save({ before: set, after, checkAtMs: null, nowMs, context });
    }
    if (late.length > 0) this.outbox.wake();
    return late.length === maxAtOnce ? 'more' : 'done';
  }

  private async clean(): Promise<'more' | 'done'> {
    const deleted = await this.quotes.deleteBefore(this.clock.now() - quoteRetentionMs, maxDeleted);
    return deleted === maxDeleted ? 'more' : 'done';
  }
}
