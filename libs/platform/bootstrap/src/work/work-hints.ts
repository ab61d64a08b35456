import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { BusConnection, LastingSubscription, writtenSubject } from '@tollbridge/rpc';
import { Clock } from '@tollbridge/database';
import { randomUUID } from 'node:crypto';
import { longestIdleMs, type PollingLoop, type PollResult } from './polling-loop';

// A replica sends at most one hint in this time, regardless of the number of writes.
const hintEveryMs = 20;
// This hint uses the subject of write hints, because NATS permits no other subject. Process ids are longer,
// so the two differ.
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
      // A message with a reply subject is a check of the bus (BusWatch).
      onMessage: ({ data, reply }) => {
        if (reply || this.instance.equals(data)) return;
        if (leasesReleased.equals(data)) for (const listener of this.leaseListeners) listener();
        else this.wake();
      },
    });
    this.endings.push(() => hints.unsubscribe());
    // Hints are lost while the connection is interrupted.
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

  /**
   * Announces committed rows that a job of this app may wait for. Hints to replicas are batched, so a call is cheap.
   */
  written(): void {
    this.wake();
    this.isPublished = false;
    if (!this.timer) this.publishHint();
  }

  /** Registers a listener for possible work. @returns a function that removes the listener */
  onWork(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => void this.listeners.delete(listener);
  }

  /** Announces to other replicas that leases of this replica are free. */
  leasesReleased(): void {
    if (this.bus.isConnected) this.bus.publish(writtenSubject(this.bus.app), leasesReleased);
  }

  /** Registers a listener for released leases. @returns a function that removes the listener */
  onLeasesReleased(listener: () => void): () => void {
    this.leaseListeners.add(listener);
    return () => void this.leaseListeners.delete(listener);
  }

  /** Registers jobs that are woken when there may be work for them. */
  wakes(...jobs: PollingLoop[]): void {
    for (const job of jobs) this.onWork(() => job.wake());
  }

  /**
   * Returns the result of a job that sleeps until its next row is due.
   * @param dueAtMs when the next row is due by the clock; null while no row waits
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
