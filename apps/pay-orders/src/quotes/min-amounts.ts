import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import type { MinAmountsReply } from '@tollbridge/contracts';
import type { Logger } from '@tollbridge/observability';
import { PollingLoop, ServiceLogger, type PollResult } from '@tollbridge/bootstrap';
import { minAmountsReply } from './min-amounts-view';
import { MinAmountsRepository } from './min-amounts.repository';

const followMs = 15_000;

/** The minimum amounts of the route provider, as last published by the replica that probes them. */
@Injectable()
export class MinAmounts implements OnApplicationBootstrap, OnApplicationShutdown {
  private snapshot: MinAmountsReply = minAmountsReply([]);
  private readonly following: PollingLoop;
  private readonly warn: (error: unknown) => void;

  constructor(
    private readonly stored: MinAmountsRepository,
    @Inject(ServiceLogger) logger: Logger,
  ) {
    this.warn = (error) => logger.warn({ err: error }, 'minimum amounts refresh failed');
    this.following = new PollingLoop(() => this.readSnapshot(), followMs, this.warn);
  }

  async onApplicationBootstrap(): Promise<void> {
    // Read before the first request, so that known minimums survive a restart.
    await this.readSnapshot().catch(this.warn);
    this.following.start();
  }

  async onApplicationShutdown(): Promise<void> {
    await this.following.stop();
  }

  /** Returns the snapshot from memory. */
  reply(): MinAmountsReply {
    return this.snapshot;
  }

  /** Shares the stored minimums with all replicas. */
  async publish(): Promise<void> {
    this.snapshot = minAmountsReply(await this.stored.publish());
  }

  private async readSnapshot(): Promise<PollResult> {
    this.snapshot = minAmountsReply(await this.stored.read());
    return { kind: 'done' };
  }
}
