import { ProviderError } from '@tollbridge/http';
import { setTimeout as pause } from 'node:timers/promises';
import type { ActivationState, ListedNumber, VirtualNumbers } from './virtual-numbers';

// Numbers that no list shows are asked for one by one, so many a second at most: operators ban who asks more.
const singleAskEveryMs = 50;
// Who would have to wait for longer than a caller does is told so: the queue is as long as this, however many come.
const longestTurnMs = 15_000;
// However much news there is: the list holds all numbers, and all of the news.
const shortestGapMs = 250;

/**
 * What has become of numbers, for any number of callers: the provider's list is read once for all of them, and again only
 * when it is older than `maxAgeMs`.
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
   * @param signal ends the waiting for a turn
   * @throws ProviderError also when too many wait for one
   */
  async state(activationId: string, signal?: AbortSignal): Promise<ActivationState> {
    await this.refresh();
    const listed = this.list?.byId?.get(activationId);
    if (listed) return listed.state;
    await this.turn(signal);
    return this.numbers.state(activationId);
  }

  /** All that are rented, at most `maxAgeMs` old; undefined where the provider has no list. */
  async all(): Promise<readonly ListedNumber[] | undefined> {
    await this.refresh();
    const byId = this.list?.byId;
    return byId && [...byId.values()];
  }

  /** What was read is not believed any more: something has changed. */
  forget(): void {
    if (this.list) this.list.readAtMs = -Infinity;
    // What is being read at this moment may be older than the news.
    this.isStale = this.reading !== undefined;
  }

  private async refresh(): Promise<void> {
    if (this.list && performance.now() < this.list.readAtMs + this.maxAgeMs) return;
    // Whoever comes while it is read gets the same.
    this.reading ??= this.read().finally(() => (this.reading = undefined));
    await this.reading;
    // Read before the news: once more.
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

  /** One after the other, at a pace. */
  private async turn(signal?: AbortSignal): Promise<void> {
    const nowMs = performance.now();
    const atMs = Math.max(nowMs, this.nextSingleAtMs);
    if (atMs - nowMs > longestTurnMs)
      throw new ProviderError('numbers', { kind: 'unavailable', message: 'is asked for too many numbers' });
    this.nextSingleAtMs = atMs + singleAskEveryMs;
    if (atMs > nowMs) await pause(atMs - nowMs, undefined, signal ? { signal } : {});
  }
}
