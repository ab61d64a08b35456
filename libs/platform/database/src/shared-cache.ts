import { redisTls, type TlsFiles } from '@tollbridge/config';
import type { Redis } from 'ioredis';
import { once } from 'node:events';

// A slow cache is worse than no cache.
const commandTimeoutMs = 500;
const connectTimeoutMs = 2_000;
const longestReconnectMs = 2_000;

/**
 * A cache that replicas share, in Redis; without a URL it caches nothing. Calls never fail: an unreadable
 * value counts as absent. A value that cannot be written is written by the next process that computes it.
 */
export class SharedCache {
  private redis: Redis | undefined;
  private isClosed = false;
  /** Settles after the first attempt to connect, so that reads during the start are not misses. */
  private readonly opened: Promise<unknown>;

  constructor(url: string, onError: (error: Error) => void, tls: TlsFiles = {}) {
    this.opened = url ? this.open(url, onError, tls).catch(onError) : Promise.resolve();
  }

  private async open(url: string, onError: (error: Error) => void, tls: TlsFiles): Promise<void> {
    // Loaded only with a URL, because the client uses some megabytes of memory.
    const { Redis } = await import('ioredis');
    if (this.isClosed) return;
    this.redis = new Redis(url, {
      ...redisTls(url, tls),
      commandTimeout: commandTimeoutMs,
      connectTimeout: connectTimeoutMs,
      // Callers must not wait while the server is down.
      enableOfflineQueue: false,
      maxRetriesPerRequest: 0,
      retryStrategy: (attempt) => Math.min(attempt * 100, longestReconnectMs),
    });
    this.redis.on('error', onError);
    await Promise.race([once(this.redis, 'ready'), once(this.redis, 'end')]).catch(() => undefined);
  }

  async get(key: string): Promise<string | undefined> {
    await this.opened;
    return (await this.redis?.get(key).catch(() => undefined)) ?? undefined;
  }

  async set(key: string, value: string): Promise<void> {
    await this.opened;
    await this.redis?.set(key, value).catch(() => undefined);
  }

  close(): void {
    this.isClosed = true;
    this.redis?.disconnect();
  }
}
