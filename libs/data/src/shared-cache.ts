import { Redis } from 'ioredis';
import { once } from 'node:events';

// A cache that is slow is worse than none.
const commandTimeoutMs = 500;
const connectTimeoutMs = 2_000;
const longestReconnectMs = 2_000;

/**
 * What replicas share and can lose: Redis, or nothing where no URL is given. No call ever fails: what cannot be read is
 * absent, and what cannot be written is written again by whoever computes it next.
 */
export class SharedCache {
  private readonly redis: Redis | undefined;
  /** Settles with the first attempt to connect, so that what is asked for at the start is not missed. */
  private opened: Promise<unknown> = Promise.resolve();

  constructor(url: string, onError: (error: Error) => void) {
    if (!url) return;
    this.redis = new Redis(url, {
      commandTimeout: commandTimeoutMs,
      connectTimeout: connectTimeoutMs,
      // Nobody waits for a server that is away.
      enableOfflineQueue: false,
      maxRetriesPerRequest: 0,
      retryStrategy: (attempt) => Math.min(attempt * 100, longestReconnectMs),
    });
    this.redis.on('error', onError);
    this.opened = Promise.race([once(this.redis, 'ready'), once(this.redis, 'end')]).catch(() => undefined);
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
    this.redis?.disconnect();
  }
}
