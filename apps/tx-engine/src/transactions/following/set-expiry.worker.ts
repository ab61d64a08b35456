import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { callContext } from '@tollbridge/rpc';
import { Clock } from '@tollbridge/database';
import type { Logger } from '@tollbridge/observability';
import { OutboxWorker, PollingLoop, ServiceLogger, WorkHints, type PollResult } from '@tollbridge/bootstrap';
import { SetsRepository } from '../storage/sets.repository';
import { transition } from '../transaction-set';

const everyMs = 1_000;
const maxAtOnce = 64;

/** Expires sets that were not signed in time. */
@Injectable()
export class SetExpiry implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly job: PollingLoop;

  constructor(
    private readonly sets: SetsRepository,
    private readonly outbox: OutboxWorker,
    private readonly hints: WorkHints,
    @Inject(Clock) private readonly clock: Clock,
    @Inject(ServiceLogger) logger: Logger,
  ) {
    this.job = new PollingLoop(
      () => this.expire(),
      everyMs,
      (error) => logger.warn({ job: 'expire', err: error }, 'worker job failed, retrying'),
    );
    hints.wakes(this.job);
  }

  onApplicationBootstrap(): void {
    this.job.start();
  }

  async onApplicationShutdown(): Promise<void> {
    await this.job.stop();
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
    this.outbox.wake();
    return { kind: late.length === maxAtOnce ? 'more' : 'done' };
  }
}
