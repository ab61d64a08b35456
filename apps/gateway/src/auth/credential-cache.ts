import { DomainError } from '@tollbridge/rpc';
import { LRUCache } from 'lru-cache';

// A revoked credential is accepted at most this long when the event of the change is lost. Credentials in use survive a
// restart of the merchant app.
export const lifetimeMs = 5_000;
// A credential in use is looked up again in the background when its entry expires within this time. Later requests
// retry a failed lookup.
const refreshMs = 3_000;
// An entry has a few hundred bytes. Above this number, the cache evicts the least recently used entry.
const maxEntries = 10_000;

/**
 * Valid credentials by the SHA-256 of their text, so that the text itself is not stored. Invalid credentials are not
 * cached, since they are rate limited.
 */
export class CredentialCache<T extends object> {
  private readonly entries = new LRUCache<string, T>({
    max: maxEntries,
    // lru-cache treats an entry as stale only when it is older than `ttl`, so this is one millisecond less.
    ttl: lifetimeMs - 1,
    ttlResolution: 0,
    perf: performance,
  });
  private readonly pending = new Map<string, Promise<T>>();
  /** Incremented by each invalidation. A lookup that began before may return an outdated value. */
  private generation = 0;

  constructor(private readonly idOf: (value: T) => string) {}

  /** Synchronous for a cached credential. */
  find(digest: string, lookup: () => Promise<T>): T | Promise<T> {
    const cached = this.entries.get(digest);
    if (cached === undefined) return this.load(digest, lookup);
    // If the lookup fails, the entry is served until it expires.
    if (this.entries.getRemainingTTL(digest) < refreshMs) this.load(digest, lookup).catch(() => undefined);
    return cached;
  }

  /** Concurrent lookups of the same credential share one call. */
  private load(digest: string, lookup: () => Promise<T>): Promise<T> {
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
    const value = await lookup().catch((error: unknown) => {
      if (error instanceof DomainError && error.code === 'UNAUTHORIZED') this.entries.delete(digest);
      throw error;
    });
    if (generation === this.generation) this.entries.set(digest, value);
    return value;
  }
}
