import type { Redis } from 'ioredis';
import { once } from 'node:events';

// A cache that is slow is worse than none.
const commandTimeoutMs = 500;
const connectTimeoutMs = 2_000;
const longestReconnectMs = 2_000;

/**
 * What replicas share and can lose: Redis, or nothing where no URL is given. No call ever fails: what cannot be read is
 * absent, and what cannot be written is written again by the next process that computes it.
 */
export class SharedCache {
  private redis: Redis | undefined;
  private isClosed = false;
  /** Settles with the first attempt to connect, so that what is asked for at the start is not missed. */
  private readonly opened: Promise<unknown>;

  constructor(url: string, onError: (error: Error) => void) {
    this.opened = url ? this.open(url, onError).catch(onError) : Promise.resolve();
  }

  private async open(url: string, onError: (error: Error) => void): Promise<void> {
    // Loaded only where there is one: it is some megabytes of each service.
    const { Redis } = await import('ioredis');
    if (this.isClosed) return;
    this.redis = new Redis(url, {
      commandTimeout: commandTimeoutMs,
      connectTimeout: connectTimeoutMs,
      // Callers do not wait for a server that is down.
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
