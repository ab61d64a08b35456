import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { callContext } from '@tollbridge/bus';
import { Clock, Database, LeaderLock } from '@tollbridge/data';
import type { Logger } from '@tollbridge/observability';
import { OutboxWorker, Repeat, ServiceLogger } from '@tollbridge/service';
import { EvmChains } from '../chains/evm-chains';
import { QuotesRepository } from '../quotes/quotes.repository';
import { FollowSet } from './follow-set';
import { SetsRepository } from './sets.repository';
import { moved } from './transaction-set';

// More at once only wait for the same nodes.
const maxAtOnce = 64;
// A set that fails in our hands must not be looked at all the time.
const afterErrorMs = 2_000;
const expireEveryMs = 1_000;
const cleanEveryMs = 60_000;
// What a caller may still ask about in a support case.
const keepQuotesMs = 24 * 60 * 60_000;
const maxDeleted = 5_000;

/** Looks after the sets that are under way, those that nobody signs, and quotes that nobody builds. */
@Injectable()
export class SetsWorker implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly jobs: Repeat[];
  private readonly lock: LeaderLock;

  constructor(
    private readonly sets: SetsRepository,
    private readonly quotes: QuotesRepository,
    private readonly follower: FollowSet,
    private readonly outbox: OutboxWorker,
    chains: EvmChains,
    { pool }: Database,
    @Inject(Clock) private readonly clock: Clock,
    @Inject(ServiceLogger) private readonly logger: Logger,
  ) {
    const everyMs = Math.min(...chains.all.map(({ pollIntervalMs }) => pollIntervalMs), 1_000);
    const warn = (job: string) => (error: unknown) =>
      logger.warn({ job, err: error }, 'a worker failed and tries again');
    this.lock = new LeaderLock(pool, 'tx-engine-follow');
    this.jobs = [
      new Repeat(() => this.follow(), everyMs, warn('follow')),
      new Repeat(() => this.expire(), expireEveryMs, warn('expire')),
      new Repeat(() => this.clean(), cleanEveryMs, warn('clean')),
    ];
  }

  onApplicationBootstrap(): void {
    for (const job of this.jobs) job.start();
  }

  async onApplicationShutdown(): Promise<void> {
    await Promise.all(this.jobs.map((job) => job.stop()));
    this.lock.release();
  }

  private async follow(): Promise<'more' | 'done'> {
    if (!(await this.lock.take())) return 'done';
    const due = await this.sets.due(this.clock.now(), maxAtOnce);
    if (due.length === 0) return 'done';
    const changed = await Promise.all(
      due.map((set) =>
        this.follower.look(set).catch(async (error: unknown) => {
          this.logger.warn(
            { setId: set.id, err: error },
            'a set could not be looked after; it is tried again',
          );
          await this.sets.postpone([{ id: set.id, checkAtMs: this.clock.now() + afterErrorMs }]);
          return false;
        }),
      ),
    );
    if (changed.some(Boolean)) this.outbox.wake();
    return due.length === maxAtOnce ? 'more' : 'done';
  }

  private async expire(): Promise<'more' | 'done'> {
    const nowMs = this.clock.now();
    const late = await this.sets.unsigned(nowMs, maxAtOnce);
    const context = callContext({ principal: 'follower' });
    for (const set of late) {
      const after = { ...moved(set, 'expired'), endedAtMs: nowMs };
      await this.sets.save({ before: set, after, checkAtMs: null, nowMs, context });
    }
    if (late.length > 0) this.outbox.wake();
    return late.length === maxAtOnce ? 'more' : 'done';
  }

  private async clean(): Promise<'more' | 'done'> {
    const deleted = await this.quotes.deleteBefore(this.clock.now() - keepQuotesMs, maxDeleted);
    return deleted === maxDeleted ? 'more' : 'done';
  }
}
