import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { clockAdvancedSubject, clockAheadApi } from '@tollbridge/contracts';
import { Clock } from '@tollbridge/database';
import type { Logger } from '@tollbridge/observability';
import { BusClient, BusConnection, DomainError, LastingSubscription } from '@tollbridge/rpc';
import { ServiceLogger } from '../bus/service-tokens';

// A lost message delays the new time by at most this interval.
const readEveryMs = 30_000;
const firstRetryMs = 500;
const { clockAhead } = clockAheadApi.operations;

/** The time of the sandbox: the real time plus the total that `POST /sandbox/clock` has added. */
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

  /** The clock only moves forward: replies may arrive out of order. */
  setAhead(aheadMs: number): void {
    if (aheadMs <= this.aheadMs) return;
    this.aheadMs = aheadMs;
    for (const listener of this.listeners) listener();
  }
}

/** Keeps the `SandboxClock` of an app in step with the sandbox app. It ignores other clocks. */
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
      // The sandbox app is starting, is being restarted, or does not run.
      this.retries++;
      if (!(err instanceof DomainError)) this.logger.warn({ err }, 'time of the sandbox not read, retrying');
    }
    if (this.isStopped) return;
    clearTimeout(this.timer);
    const nextMs = this.retries === 0 ? readEveryMs : Math.min(firstRetryMs * 2 ** this.retries, readEveryMs);
    this.timer = setTimeout(() => void this.read(clock), nextMs).unref();
  }
}
