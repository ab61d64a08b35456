import type { Clock } from '@tollbridge/data';

/** What was read lately: for some minutes it is not asked for again, and never twice at once. What failed is not kept. */
export class FreshCache<T> {
  private readonly kept = new Map<string, { value: Promise<T>; untilMs: number }>();

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
    return entry.value;
  }
}
