import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { BusConnection } from '@tollbridge/rpc';
import { Database, DatabaseReplies, LeaderLock } from '@tollbridge/database';
import type { Logger } from '@tollbridge/observability';
import { PollingLoop } from './polling-loop';
import { ServiceLogger } from './service-tokens';

// A reply may live a minute longer than promised. A batch is short enough not to block other statements.
const sweepEveryMs = 60_000;
const maxAtOnce = 1_000;

/** Deletes expired idempotency keys. The lock is held only during a sweep: it costs a connection. */
@Injectable()
export class IdempotencySweep implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly lock: LeaderLock;
  private readonly sweep: PollingLoop;

  constructor(
    private readonly replies: DatabaseReplies,
    { pool }: Database,
    { app }: BusConnection,
    @Inject(ServiceLogger) logger: Logger,
  ) {
    this.lock = new LeaderLock(pool, `idempotency ${app}`);
    const onError = (error: unknown) => logger.warn({ err: error }, 'idempotency key sweep failed, retrying');
    this.sweep = new PollingLoop(() => this.step(), sweepEveryMs, onError);
  }

  onApplicationBootstrap(): void {
    this.sweep.start();
  }

  async onApplicationShutdown(): Promise<void> {
    await this.sweep.stop();
    this.lock.release();
  }

  async step(): Promise<'more' | 'done'> {
    if (!(await this.lock.take())) return 'done';
    let deleted = 0;
    try {
      deleted = await this.replies.deleteOld(maxAtOnce);
    } finally {
      if (deleted < maxAtOnce) this.lock.release();
    }
    return deleted < maxAtOnce ? 'done' : 'more';
  }
}
