import type { Clock } from '@tollbridge/database';
import { LRUCache } from 'lru-cache';

/**
 * Caches reads for `freshMs` and shares concurrent ones. Failures are not cached. Expired entries are evicted by a
 * timer, because some lists are megabytes.
 */
export class FreshCache<T> {
  private readonly entries: LRUCache<string, Promise<T>>;

  constructor(clock: Clock, { freshMs, maxEntries }: { freshMs: number; maxEntries: number }) {
    this.entries = new LRUCache({
      max: maxEntries,
      // The cache evicts an entry only when it is older than `ttl`.
      ttl: freshMs - 1,
      ttlResolution: 0,
      ttlAutopurge: true,
      perf: clock,
    });
  }

  get(key: string, read: () => Promise<T>): Promise<T> {
    const cached = this.entries.get(key);
    if (cached) return cached;
    const value = read();
    this.entries.set(key, value);
    value.catch(() => {
      if (this.entries.peek(key, { allowStale: true }) === value) this.entries.delete(key);
    });
    return value;
  }
}
