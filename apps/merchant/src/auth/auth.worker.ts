import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { Clock } from '@tollbridge/database';
import type { Logger } from '@tollbridge/observability';
import { PollingLoop, ServiceLogger, type PollResult } from '@tollbridge/bootstrap';
import { AuthRepository } from './auth.repository';

const sweepEveryMs = 10 * 60_000;
const mostAtOnce = 1_000;

/** Deletes expired sessions, nonces and sign-in records. Concurrent replicas delete different rows. */
@Injectable()
export class AuthSweep implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly sweep: PollingLoop;

  constructor(
    private readonly repository: AuthRepository,
    @Inject(Clock) private readonly clock: Clock,
    @Inject(ServiceLogger) logger: Logger,
  ) {
    const onError = (error: unknown) =>
      logger.warn({ err: error }, 'expired sign-in rows not deleted, retrying');
    this.sweep = new PollingLoop(() => this.step(), sweepEveryMs, onError);
  }

  onApplicationBootstrap(): void {
    this.sweep.start();
  }

  async onApplicationShutdown(): Promise<void> {
    await this.sweep.stop();
  }

  async step(): Promise<PollResult> {
    return { kind: (await this.repository.sweep(this.clock.now(), mostAtOnce)) ? 'more' : 'done' };
  }
}
