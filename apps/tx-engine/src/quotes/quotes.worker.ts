import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { Clock } from '@tollbridge/database';
import type { Logger } from '@tollbridge/observability';
import { PollingLoop, ServiceLogger, type PollResult } from '@tollbridge/bootstrap';
import { QuotesRepository } from './quotes.repository';

const everyMs = 60_000;
// Expired quotes stay for a day, for support requests.
const retentionMs = 24 * 60 * 60_000;
const maxDeleted = 5_000;

/** Deletes old quotes. */
@Injectable()
export class QuoteSweep implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly job: PollingLoop;

  constructor(
    private readonly quotes: QuotesRepository,
    @Inject(Clock) private readonly clock: Clock,
    @Inject(ServiceLogger) logger: Logger,
  ) {
    this.job = new PollingLoop(
      () => this.clean(),
      everyMs,
      (error) => logger.warn({ job: 'clean', err: error }, 'worker job failed, retrying'),
    );
  }

  onApplicationBootstrap(): void {
    this.job.start();
  }

  async onApplicationShutdown(): Promise<void> {
    await this.job.stop();
  }

  private async clean(): Promise<PollResult> {
    const deleted = await this.quotes.deleteBefore(this.clock.now() - retentionMs, maxDeleted);
    return { kind: deleted === maxDeleted ? 'more' : 'done' };
  }
}
