import { Redis } from 'ioredis';

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
  }

  async get(key: string): Promise<string | undefined> {
    return (await this.redis?.get(key).catch(() => undefined)) ?? undefined;
  }

  async set(key: string, value: string): Promise<void> {
    await this.redis?.set(key, value).catch(() => undefined);
  }

  close(): void {
    this.redis?.disconnect();
  }
}
