import { LRUCache } from 'lru-cache';

// The bound for a lost change event. Long enough that frequent clients do not notice a restart of the merchant app.
export const lifetimeMs = 5_000;
// Some hundred bytes each. With more in use at a time, those not used for longest are looked up again.
const maxEntries = 10_000;

/**
 * Valid credentials by the SHA-256 of their text; the text itself is not stored. Invalid ones are not cached: they are
 * rate limited.
 */
export class CredentialCache<T extends object> {
  private readonly entries = new LRUCache<string, T>({
    max: maxEntries,
    // An entry is stale when it is older than this.
    ttl: lifetimeMs - 1,
    ttlResolution: 0,
    perf: performance,
  });
  private readonly pending = new Map<string, Promise<T>>();
  /** Incremented by each invalidation: a lookup that began before may return an outdated value. */
  private generation = 0;

  constructor(private readonly idOf: (value: T) => string) {}

  get(digest: string): T | undefined {
    return this.entries.get(digest);
  }

  /** Concurrent lookups of the same credential share one call. */
  load(digest: string, lookup: () => Promise<T>): Promise<T> {
    const pending = this.pending.get(digest);
    if (pending) return pending;
    const loading = this.loadOnce(digest, lookup).finally(() => {
      if (this.pending.get(digest) === loading) this.pending.delete(digest);
    });
    this.pending.set(digest, loading);
    return loading;
  }

  invalidate(id: string): void {
    this.generation++;
    this.pending.clear();
    for (const [digest, value] of this.entries) if (this.idOf(value) === id) this.entries.delete(digest);
  }

  invalidateAll(): void {
    this.generation++;
    this.pending.clear();
    this.entries.clear();
  }

  get size(): number {
    return this.entries.size;
  }

  private async loadOnce(digest: string, lookup: () => Promise<T>): Promise<T> {
    const { generation } = this;
    const value = await lookup();
    if (generation === this.generation) this.entries.set(digest, value);
    return value;
  }
}
