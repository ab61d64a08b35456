import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { clockAdvancedSubject, clockAheadApi } from '@tollbridge/contracts';
import { Clock } from '@tollbridge/database';
import type { Logger } from '@tollbridge/observability';
import { BusClient, BusConnection, DomainError, LastingSubscription } from '@tollbridge/rpc';
import { ServiceLogger } from '../bus/service-tokens';

// A lost message delays the new time by this much at most.
const readEveryMs = 30_000;
const firstRetryMs = 500;
const { clockAhead } = clockAheadApi.operations;

/** The time of the sandbox: ahead of the real one by what `POST /sandbox/clock` has added. */
export class SandboxClock implements Clock {
  private aheadMs = 0;
  private readonly listeners = new Set<() => void>();

  constructor(private readonly real: Clock) {}

  now(): number {
    return this.real.now() + this.aheadMs;
  }

  realNow(): number {
    return this.real.now();
  }

  onSet(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => void this.listeners.delete(listener);
  }

  /** Forward only: of two replies the older one may come last. */
  setAhead(aheadMs: number): void {
    if (aheadMs <= this.aheadMs) return;
    this.aheadMs = aheadMs;
    for (const listener of this.listeners) listener();
  }
}

/** Keeps the `SandboxClock` of an app like that of the sandbox app. Without effect on other clocks. */
@Injectable()
export class SandboxClockFollower implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly endings: (() => void)[] = [];
  private timer: NodeJS.Timeout | undefined;
  private retries = 0;
  private isStopped = false;

  constructor(
    private readonly bus: BusConnection,
    private readonly client: BusClient,
    @Inject(Clock) private readonly clock: Clock,
    @Inject(ServiceLogger) private readonly logger: Logger,
  ) {}

  onApplicationBootstrap(): void {
    const { clock } = this;
    if (!(clock instanceof SandboxClock)) return;
    const read = (): void => void this.read(clock);
    const advanced = new LastingSubscription(this.bus, clockAdvancedSubject, { onMessage: read });
    this.endings.push(() => advanced.unsubscribe(), this.bus.onInterruption(read));
    read();
  }

  onApplicationShutdown(): void {
    this.isStopped = true;
    for (const end of this.endings.splice(0)) end();
    clearTimeout(this.timer);
  }

  private async read(clock: SandboxClock): Promise<void> {
    try {
      clock.setAhead((await this.client.call(clockAhead, {})).ahead_ms);
      this.retries = 0;
    } catch (err) {
      // The sandbox app starts, is being restarted, or does not run.
      this.retries++;
      if (!(err instanceof DomainError)) this.logger.warn({ err }, 'time of the sandbox not read, retrying');
    }
    if (this.isStopped) return;
    clearTimeout(this.timer);
    const nextMs = this.retries === 0 ? readEveryMs : Math.min(firstRetryMs * 2 ** this.retries, readEveryMs);
    this.timer = setTimeout(() => void this.read(clock), nextMs).unref();
  }
}
