import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
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
import { setTimeout as pause } from 'node:timers/promises';
import { SetFollower } from './set-follower';
import { SetsRepository } from '../storage/sets.repository';
import { shardCount, shardOf } from '../storage/set-shards';
import type { TransactionSet } from '../transaction-set';

// More concurrent polls would only wait at the same nodes.
const maxAtOnce = 64;
// The delay after a failed poll.
const afterErrorMs = 2_000;
const warnEveryMs = 1_000;

/** Polls open sets. */
@Injectable()
export class SetsWorker implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly following: PollingLoop;
  /** The open sets are divided into shards, which the replicas share. */
  private readonly shards: Lease[];
  private readonly everyMs: number;
  /** The running polls by set id. */
  private readonly polls = new Map<string, Promise<void>>();
  private failures = 0;
  private warnedAtMs = -Infinity;

  constructor(
    private readonly sets: SetsRepository,
    private readonly follower: SetFollower,
    private readonly outbox: OutboxWorker,
    private readonly hints: WorkHints,
    leases: Leases,
    @Inject(Clock) private readonly clock: Clock,
    @Inject(ServiceLogger) private readonly logger: Logger,
  ) {
    this.everyMs = Math.min(follower.shortestPauseMs, 1_000);
    this.following = new PollingLoop(
      () => this.follow(),
      this.everyMs,
      (error) => logger.warn({ job: 'follow', err: error }, 'worker job failed, retrying'),
    );
    this.shards = Array.from({ length: shardCount }, (_, shard) =>
      leases.candidate(`follow sets ${shard}`, 'sets'),
    );
    for (const shard of this.shards) shard.onAcquired(() => this.following.wake());
    hints.wakes(this.following);
  }

  onApplicationBootstrap(): void {
    this.following.start();
  }

  async onApplicationShutdown(): Promise<void> {
    await this.following.stop();
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
    return { kind: isFull ? 'more' : 'done' };
  }

  /** Runs a poll of a shard that this replica leads. The shard is handed over after the poll. */
  private async leads(set: TransactionSet, poll: () => Promise<void>): Promise<void> {
    await this.shards[shardOf(set.id)]!.run(poll);
  }

  private async poll(set: TransactionSet): Promise<void> {
    try {
      if (await this.follower.poll(set)) this.outbox.wake();
    } catch (error) {
      this.warn(set.id, error);
      // If the database has failed, the set is due immediately.
      const checkAtMs = this.clock.now() + afterErrorMs;
      await this.sets.postpone({ id: set.id, checkAtMs }).catch(() => undefined);
    }
  }

  /** Logs one failure for all sets, because an unavailable chain fails every set on it. */
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
}
