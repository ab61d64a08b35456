import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { BusConnection, LastingSubscription, writtenSubject } from '@tollbridge/rpc';
import { Clock } from '@tollbridge/database';
import { randomUUID } from 'node:crypto';
import { longestIdleMs, type PollingLoop, type PollResult } from './polling-loop';

// At most one hint to the replicas in this time, however many writes there are.
const hintEveryMs = 20;
// On the same subject as hints of writes: NATS permits no other one. Ids of processes are longer.
const leasesReleased = Buffer.from('leases');

/**
 * Lets the jobs of an app sleep while they are idle. A commit wakes them: immediately in this process, and by a message
 * over the bus in other replicas. A lost message delays work by `longestIdleMs` at most.
 */
@Injectable()
export class WorkHints implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly instance = Buffer.from(randomUUID());
  private readonly listeners = new Set<() => void>();
  private readonly leaseListeners = new Set<() => void>();
  private readonly endings: (() => void)[] = [];
  private timer: NodeJS.Timeout | undefined;
  private isPublished = true;

  constructor(
    private readonly bus: BusConnection,
    @Inject(Clock) private readonly clock: Clock,
  ) {}

  onApplicationBootstrap(): void {
    const wake = (): void => this.wake();
    const hints = new LastingSubscription(this.bus, writtenSubject(this.bus.app), {
      // One with a reply subject is a check of the bus (BusWatch).
      onMessage: ({ data, reply }) => {
        if (reply || this.instance.equals(data)) return;
        if (leasesReleased.equals(data)) for (const listener of this.leaseListeners) listener();
        else this.wake();
      },
    });
    this.endings.push(() => hints.unsubscribe());
    // Hints were missed while the connection was away.
    this.endings.push(this.bus.onInterruption(wake));
    // Setting the clock may make rows due.
    const ending = this.clock.onSet?.(wake);
    if (ending) this.endings.push(ending);
  }

  onApplicationShutdown(): void {
    for (const end of this.endings.splice(0)) end();
    clearTimeout(this.timer);
    this.timer = undefined;
  }

  /** Notifies that rows were committed which a job of this app may wait for. Cheap: hints to replicas are batched. */
  written(): void {
    this.wake();
    this.isPublished = false;
    if (!this.timer) this.publishHint();
  }

  /** @returns what ends it */
  onWork(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => void this.listeners.delete(listener);
  }

  /** Notifies other replicas that leases of this one are free. */
  leasesReleased(): void {
    if (this.bus.isConnected) this.bus.publish(writtenSubject(this.bus.app), leasesReleased);
  }

  /** @returns what ends it */
  onLeasesReleased(listener: () => void): () => void {
    this.leaseListeners.add(listener);
    return () => void this.leaseListeners.delete(listener);
  }

  /** Registers jobs that are woken when there may be work for them. */
  wakes(...jobs: PollingLoop[]): void {
    for (const job of jobs) this.onWork(() => job.wake());
  }

  /**
   * @param dueAtMs when the next row is due by the clock; null while none waits
   * @returns what a job answers that sleeps until then
   */
  idleUntil(dueAtMs: number | null): PollResult {
    return { kind: 'idle', idleMs: dueAtMs === null ? longestIdleMs : dueAtMs - this.clock.now() };
  }

  private wake(): void {
    for (const listener of this.listeners) listener();
  }

  private publishHint(): void {
    this.timer = undefined;
    if (this.isPublished) return;
    this.isPublished = true;
    if (this.bus.isConnected) this.bus.publish(writtenSubject(this.bus.app), this.instance);
    this.timer = setTimeout(() => this.publishHint(), hintEveryMs).unref();
  }
}
