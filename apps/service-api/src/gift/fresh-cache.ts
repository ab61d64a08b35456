import type { Clock } from '@tollbridge/database';

/**
 * What was read lately: for some minutes it is not asked for again, and never twice at once. What failed is not kept, nor
 * what is old, also when nobody asks any more: some lists are megabytes.
 */
export class FreshCache<T> {
  private readonly kept = new Map<string, { value: Promise<T>; untilMs: number }>();
  private sweeping: NodeJS.Timeout | undefined;

  constructor(
    private readonly clock: Clock,
    private readonly options: { freshMs: number; maxEntries: number },
  ) {}

  get(key: string, read: () => Promise<T>): Promise<T> {
    const nowMs = this.clock.now();
    const known = this.kept.get(key);
    if (known && nowMs < known.untilMs) return known.value;
    const entry = { value: read(), untilMs: nowMs + this.options.freshMs };
    this.kept.delete(key);
    this.kept.set(key, entry);
    entry.value.catch(() => {
      if (this.kept.get(key) === entry) this.kept.delete(key);
    });
    const [oldest] = this.kept.keys();
    if (this.kept.size > this.options.maxEntries) this.kept.delete(oldest!);
    this.sweepLater();
    return entry.value;
  }

  private sweepLater(): void {
    this.sweeping ??= setTimeout(() => {
      this.sweeping = undefined;
      const nowMs = this.clock.now();
      for (const [key, { untilMs }] of this.kept) if (untilMs <= nowMs) this.kept.delete(key);
      if (this.kept.size > 0) this.sweepLater();
    }, this.options.freshMs).unref();
  }
}
