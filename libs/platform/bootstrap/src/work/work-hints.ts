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

// Work of a commit that does not name its kind.
const anyWork = 'any';

/**
 * Lets the jobs of an app sleep while they are idle. A commit wakes them: immediately in this process, and by a message
 * over the bus in other replicas. A lost message delays work by `longestIdleMs` at most.
 *
 * A commit may name the kind of its work. It then wakes only the jobs of that kind. Otherwise a frequent commit would
 * keep every job of the app busy (bench row "create an order, one every 150 ms").
 */
@Injectable()
export class WorkHints implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly instance = Buffer.from(randomUUID());
  /** The kinds of work of each listener. */
  private readonly listeners = new Map<() => void, readonly string[] | 'all'>();
  private readonly leaseListeners = new Set<() => void>();
  private readonly endings: (() => void)[] = [];
  private timer: NodeJS.Timeout | undefined;
  /** The kind of work of the next hint to other replicas. */
  private unpublished: string | undefined;

  constructor(
    private readonly bus: BusConnection,
    @Inject(Clock) private readonly clock: Clock,
  ) {}

  onApplicationBootstrap(): void {
    const wake = (): void => this.wake(anyWork);
    const hints = new LastingSubscription(this.bus, writtenSubject(this.bus.app), {
      // A message with a reply subject is a check of the bus (BusWatch).
      onMessage: ({ data, reply }) => {
        if (reply || this.instance.equals(data.subarray(0, this.instance.length))) return;
        if (leasesReleased.equals(data)) for (const listener of this.leaseListeners) listener();
        else this.wake(this.kindOf(data));
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
   * @param kind the kind of the work, if only jobs of that kind have work; by default all jobs are woken
   */
  written(kind = anyWork): void {
    this.wake(kind);
    this.unpublished = this.unpublished === undefined || this.unpublished === kind ? kind : anyWork;
    if (!this.timer) this.publishHint();
  }

  /**
   * Registers a listener for possible work.
   * @param kinds the kinds of work that wake it, in addition to commits that name no kind or a kind without a listener
   * @returns a function that removes the listener
   */
  onWork(listener: () => void, kinds: readonly string[] | 'all' = []): () => void {
    this.listeners.set(listener, kinds);
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

  private wake(kind: string): void {
    const all = [...this.listeners];
    const isKnown = all.some(([, kinds]) => kinds !== 'all' && kinds.includes(kind));
    for (const [listener, kinds] of all) if (!isKnown || kinds === 'all' || kinds.includes(kind)) listener();
  }

  /** A hint of an earlier release contains only the replica. */
  private kindOf(hint: Uint8Array): string {
    const kind = Buffer.from(hint.subarray(this.instance.length + 1)).toString();
    return kind === '' ? anyWork : kind;
  }

  private publishHint(): void {
    this.timer = undefined;
    const kind = this.unpublished;
    if (kind === undefined) return;
    this.unpublished = undefined;
    const hint = Buffer.concat([this.instance, Buffer.from(` ${kind}`)]);
    if (this.bus.isConnected) this.bus.publish(writtenSubject(this.bus.app), hint);
    this.timer = setTimeout(() => this.publishHint(), hintEveryMs).unref();
  }
}
