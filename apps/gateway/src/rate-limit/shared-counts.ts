import type { OnApplicationShutdown, OnModuleInit } from '@nestjs/common';
import type { Logger } from '@tollbridge/observability';
import { Redis, type Result } from 'ioredis';
import { redisTls, type TlsFiles } from '@tollbridge/config';
import { once } from 'node:events';
import { bucketScript, countingOf, windowScript, type Rate } from './rate';

export interface Taken {
  isAllowed: boolean;
  /** The number of further requests that are allowed at once. */
  remaining: number;
  /** The time until the next request is allowed; 0 if it is allowed now. */
  waitMs: number;
  /** The time until the whole quota is available. */
  untilFullMs: number;
}

export interface Failed {
  isOver: boolean;
  /** The time until the count restarts. */
  untilMs: number;
}

// After a failure, only one request in this period calls Redis, so that unanswered commands do not accumulate.
const pauseMs = 250;
// Reconnects when no data has arrived on the connection for this long.
const silenceMs = 2_000;
const longestReconnectMs = 1_000;
const connectTimeoutMs = 2_000;

/** Counts within a window that the first failure opens. */
const failScript = `
  local count = redis.call('INCR', KEYS[1])
  if count == 1 then redis.call('PEXPIRE', KEYS[1], ARGV[1]) end
  return { count, redis.call('PTTL', KEYS[1]) }`;

type TakeArguments = [key: string, unitMicros: number, requests: number, nowMicros: number | ''];
type TakeReply = [isAllowed: number, remaining: number, waitMicros: number, untilFullMicros: number];

declare module 'ioredis' {
  interface RedisCommander<Context> {
    tollbridgeBucket(...given: TakeArguments): Result<TakeReply, Context>;
    tollbridgeWindow(...given: TakeArguments): Result<TakeReply, Context>;
    tollbridgeFail(key: string, windowMs: number): Result<[number, number], Context>;
  }
}

export interface SharedCountsOptions {
  /** The time-out of Redis, `GATEWAY_REDIS_TIMEOUT_MS`. */
  timeoutMs: number;
  tls?: TlsFiles;
  /** The clock of rates in tests. By default the clock of Redis, which all replicas share. */
  nowMicros?: () => number;
}

/** Counts in Redis that all replicas share. Calls never fail: `undefined` means that Redis is unavailable. */
export class SharedCounts implements OnModuleInit, OnApplicationShutdown {
  private readonly redis: Redis;
  private isUnavailable = false;
  private unavailableSinceMs = 0;
  private idleUntilMs = -Infinity;
  /** Settles with the first attempt to connect, so that the first requests are counted too. */
  readonly opened: Promise<unknown>;

  constructor(
    url: string,
    private readonly logger: Pick<Logger, 'info' | 'warn'>,
    private readonly options: SharedCountsOptions,
  ) {
    this.redis = new Redis(url, {
      ...redisTls(url, options.tls),
      connectTimeout: connectTimeoutMs,
      // A request does not wait for an unavailable server.
      enableOfflineQueue: false,
      maxRetriesPerRequest: 0,
      retryStrategy: (attempt) => Math.min(attempt * 50, longestReconnectMs),
    });
    this.redis.defineCommand('tollbridgeBucket', { lua: bucketScript, numberOfKeys: 1 });
    this.redis.defineCommand('tollbridgeWindow', { lua: windowScript, numberOfKeys: 1 });
    this.redis.defineCommand('tollbridgeFail', { lua: failScript, numberOfKeys: 1 });
    // `miss` logs failures, and only once.
    this.redis.on('error', () => undefined);
    this.opened = Promise.race([once(this.redis, 'ready'), once(this.redis, 'close')]).catch(() => undefined);
  }

  /** Counts a request under a name, unless its rate is used up. */
  async take(name: string, rate: Rate): Promise<Taken | undefined> {
    const { script, unitMicros, requests } = countingOf(rate);
    const now = this.options.nowMicros?.() ?? '';
    const reply = await this.ask(() =>
      script === 'bucket'
        ? this.redis.tollbridgeBucket(`gateway:rate:${name}`, unitMicros, requests, now)
        : this.redis.tollbridgeWindow(`gateway:window:${name}`, unitMicros, requests, now),
    );
    if (!reply) return undefined;
    const [isAllowed, remaining, waitMicros, untilFullMicros] = reply;
    return {
      isAllowed: isAllowed === 1,
      remaining,
      waitMs: waitMicros / 1000,
      untilFullMs: untilFullMicros / 1000,
    };
  }

  /** Counts a failure. More than `most` failures within the window of the first one are over the limit. */
  async fail(name: string, most: number, windowMs: number): Promise<Failed | undefined> {
    const reply = await this.ask(() => this.redis.tollbridgeFail(`gateway:failed:${name}`, windowMs));
    return reply && { isOver: reply[0] > most, untilMs: Math.max(1, reply[1]) };
  }

  async onModuleInit(): Promise<void> {
    await this.opened;
  }

  /** Runs after the server is closed, so that its last requests are counted too. */
  onApplicationShutdown(): void {
    this.close();
  }

  close(): void {
    this.redis.disconnect();
  }

  private async ask<T>(work: () => Promise<T>): Promise<T | undefined> {
    const nowMs = performance.now();
    if (nowMs < this.idleUntilMs) return undefined;
    // One request probes whether Redis is available again, and the others do not wait.
    if (this.isUnavailable) this.idleUntilMs = nowMs + pauseMs;
    try {
      const reply = await within(this.options.timeoutMs, work());
      if (this.isUnavailable) this.logger.info('request counting resumed');
      this.isUnavailable = false;
      this.idleUntilMs = -Infinity;
      return reply;
    } catch (error) {
      this.miss(error);
      return undefined;
    }
  }

  private miss(error: unknown): void {
    const nowMs = performance.now();
    this.idleUntilMs = nowMs + pauseMs;
    if (!this.isUnavailable) {
      this.logger.warn({ err: error }, 'request counting failed');
      this.unavailableSinceMs = nowMs;
      this.isUnavailable = true;
    } else if (this.redis.status === 'ready' && nowMs - this.unavailableSinceMs > silenceMs) {
      // TCP would detect a vanished server only after a quarter of an hour.
      this.redis.stream.destroy();
      this.unavailableSinceMs = nowMs;
    }
  }
}

/** Accepts a reply that has arrived but was not read before the time-out, because this process was busy. */
function within<T>(timeoutMs: number, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const fail = (): void => reject(new Error(`Redis did not answer within ${timeoutMs} ms`));
    const timer = setTimeout(() => setImmediate(fail), timeoutMs);
    work.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
