import type { Type } from '@nestjs/common';
import type { Logger } from '@tollbridge/observability';
import { PollingLoop, type PollResult } from './polling-loop';
import type { Stopping } from './stopping';

/** The right to serve, which one process of an app has at a time. */
export interface ServingLease {
  /** Whether this process may serve now. The end of the lease emits no event. */
  readonly isHeld: boolean;
  /** Tries to acquire the lease, and returns whether this process holds it. A held lease is renewed automatically. */
  tryAcquire(): Promise<boolean>;
  /** Releases the lease, so that another process can acquire it immediately. This process does not acquire it again. */
  release(): Promise<void>;
}

/** The provider of a lease. */
export type LeaseToken = Type<ServingLease>;

export interface StandbyOptions {
  lease: ServingLease;
  /** Starts everything that only the holder of the lease runs. */
  serve(): Promise<unknown>;
  /** Called when serving fails after the lease was acquired. The process must end. */
  onFailed(error: unknown): void;
  /** A stopping process does not acquire the lease. */
  stopping: Pick<Stopping, 'isStopping'>;
  logger: Logger;
}

// A released lease is taken over within this time.
const askEveryMs = 200;

/** Waits for a lease, then starts to serve. */
export class Standby {
  private isServing = false;
  private isStopped = false;
  private waiting: PollingLoop | undefined;
  private serving: Promise<unknown> = Promise.resolve();

  constructor(private readonly options: StandbyOptions) {}

  /** `standby` until the process serves. */
  get state(): boolean | 'standby' {
    return this.isServing ? this.options.lease.isHeld : 'standby';
  }

  /** Resolves when the process serves, or when it stands by because another process holds the lease. */
  async start(): Promise<void> {
    const { lease, logger } = this.options;
    if (await lease.tryAcquire()) return this.serve();
    logger.info('standing by: another process holds the lease');
    this.waiting = new PollingLoop(
      () => this.ask(),
      askEveryMs,
      (error) => logger.warn({ err: error }, 'lease check failed, retrying'),
    );
    this.waiting.start();
  }

  /** Stops waiting for the lease. Resolves when no start is in progress. */
  async stop(): Promise<void> {
    this.isStopped = true;
    await this.waiting?.stop();
    await this.serving;
  }

  private async ask(): Promise<PollResult> {
    const { lease, onFailed, stopping } = this.options;
    if (this.isServing || this.isStopped || stopping.isStopping || !(await lease.tryAcquire()))
      return { kind: 'done' };
    this.serving = this.serve().catch(onFailed);
    await this.serving;
    void this.waiting?.stop();
    return { kind: 'done' };
  }

  private async serve(): Promise<void> {
    await this.options.serve();
    this.isServing = true;
  }
}
