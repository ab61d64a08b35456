import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { DatabaseReplies, Leases, type Lease } from '@tollbridge/database';
import type { Logger } from '@tollbridge/observability';
import { PollingLoop, type PollResult } from '../work/polling-loop';
import { ServiceLogger } from '../bus/service-tokens';

// An expired reply may stay a minute longer. A batch is small enough not to block other statements.
const sweepEveryMs = 60_000;
const maxAtOnce = 1_000;

/** Deletes expired idempotency keys, in one replica at a time. */
@Injectable()
export class IdempotencySweep implements OnApplicationShutdown {
  private readonly lease: Lease;
  private readonly sweep: PollingLoop;
  private hasBegun = false;

  constructor(
    private readonly replies: DatabaseReplies,
    leases: Leases,
    @Inject(ServiceLogger) logger: Logger,
  ) {
    this.lease = leases.candidate('idempotency');
    this.lease.onAcquired(() => this.begin());
    const onError = (error: unknown) => logger.warn({ err: error }, 'idempotency key sweep failed, retrying');
    this.sweep = new PollingLoop(() => this.step(), sweepEveryMs, onError);
  }

  async onApplicationShutdown(): Promise<void> {
    await this.sweep.stop();
  }

  async step(): Promise<PollResult> {
    if (!this.lease.isHeld) return { kind: 'done' };
    const deleted = await this.replies.deleteOld(maxAtOnce);
    return { kind: deleted < maxAtOnce ? 'done' : 'more' };
  }

  /** Starts when the lease is acquired. A loop that started earlier would first pause for a minute. */
  private begin(): void {
    if (!this.hasBegun) this.sweep.start();
    this.hasBegun = true;
  }
}
