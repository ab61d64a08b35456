import { ProviderError } from '@tollbridge/http';
import { setTimeout as pause } from 'node:timers/promises';
import type { ActivationState, ListedNumber, VirtualNumbers } from './virtual-numbers';

// Numbers that are not in the list are read one by one, with this interval. Providers block faster clients.
const singleAskEveryMs = 50;
// Callers in a longer queue would time out, so they are rejected.
const longestTurnMs = 15_000;
// Minimum time between reads of the list, however many webhooks arrive.
const shortestGapMs = 250;

/**
 * States of rented numbers. The provider's list is read once for all callers, and again when it is older than
 * `maxAgeMs`.
 */
export class Activations {
  private list: { readAtMs: number; byId: ReadonlyMap<string, ListedNumber> | undefined } | undefined;
  private reading: Promise<void> | undefined;
  private nextSingleAtMs = 0;
  private isStale = false;
  private lastReadAtMs = -Infinity;

  constructor(
    private readonly numbers: VirtualNumbers,
    private readonly maxAgeMs: number,
  ) {}

  /**
   * @param signal ends the wait for a turn
   * @throws ProviderError also when the queue is too long
   */
  async state(activationId: string, signal?: AbortSignal): Promise<ActivationState> {
    await this.refresh();
    const listed = this.list?.byId?.get(activationId);
    if (listed) return listed.state;
    await this.turn(signal);
    return this.numbers.state(activationId);
  }

  /** Returns all rented numbers, at most `maxAgeMs` old; undefined when the provider has no list. */
  async all(): Promise<readonly ListedNumber[] | undefined> {
    await this.refresh();
    const byId = this.list?.byId;
    return byId && [...byId.values()];
  }

  /** Invalidates the cached list. */
  forget(): void {
    if (this.list) this.list.readAtMs = -Infinity;
    // A read in progress may be older than the change.
    this.isStale = this.reading !== undefined;
  }

  private async refresh(): Promise<void> {
    if (this.list && performance.now() < this.list.readAtMs + this.maxAgeMs) return;
    // Concurrent callers share one read.
    this.reading ??= this.read().finally(() => (this.reading = undefined));
    await this.reading;
    // The list was invalidated during the read.
    if (this.list?.readAtMs === -Infinity) await this.refresh();
  }

  private async read(): Promise<void> {
    const earliestMs = this.lastReadAtMs + Math.min(shortestGapMs, this.maxAgeMs);
    if (performance.now() < earliestMs) await pause(earliestMs - performance.now());
    const readAtMs = (this.lastReadAtMs = performance.now());
    this.isStale = false;
    const active = await this.numbers.active();
    const byId = active && new Map(active.map((it) => [it.activationId, it]));
    this.list = { readAtMs: this.isStale ? -Infinity : readAtMs, byId };
    this.isStale = false;
  }

  /** Waits for a turn of the paced queue. */
  private async turn(signal?: AbortSignal): Promise<void> {
    const nowMs = performance.now();
    const atMs = Math.max(nowMs, this.nextSingleAtMs);
    if (atMs - nowMs > longestTurnMs)
      throw new ProviderError('numbers', { kind: 'unavailable', message: 'has too many queued reads' });
    this.nextSingleAtMs = atMs + singleAskEveryMs;
    if (atMs > nowMs) await pause(atMs - nowMs, undefined, signal ? { signal } : {});
  }
}
