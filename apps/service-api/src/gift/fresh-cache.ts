import type { Clock } from '@tollbridge/database';

/**
 * Caches reads for `freshMs` and shares concurrent ones. Failures are not cached. Expired entries are evicted by a timer,
 * because some lists are megabytes.
 */
export class FreshCache<T> {
  private readonly entries = new Map<string, { value: Promise<T>; untilMs: number }>();
  private sweeping: NodeJS.Timeout | undefined;

  constructor(
    private readonly clock: Clock,
    private readonly options: { freshMs: number; maxEntries: number },
  ) {}

  get(key: string, read: () => Promise<T>): Promise<T> {
    const nowMs = this.clock.now();
    const cached = this.entries.get(key);
    if (cached && nowMs < cached.untilMs) return cached.value;
    const entry = { value: read(), untilMs: nowMs + this.options.freshMs };
    this.entries.delete(key);
    this.entries.set(key, entry);
    entry.value.catch(() => {
      if (this.entries.get(key) === entry) this.entries.delete(key);
    });
    const [oldest] = this.entries.keys();
    if (this.entries.size > this.options.maxEntries) this.entries.delete(oldest!);
    this.sweepLater();
    return entry.value;
  }

  private sweepLater(): void {
    this.sweeping ??= setTimeout(() => {
      this.sweeping = undefined;
      const nowMs = this.clock.now();
      for (const [key, { untilMs }] of this.entries) if (untilMs <= nowMs) this.entries.delete(key);
      if (this.entries.size > 0) this.sweepLater();
    }, this.options.freshMs).unref();
  }
}
