import type { Logger } from '@tollbridge/observability';
import { Redis, type Result } from 'ioredis';
import { once } from 'node:events';
import { bucketScript, countingOf, windowScript, type Rate } from './rate';

export interface Taken {
  isAllowed: boolean;
  /** How many more at once. */
  remaining: number;
  /** Until one more is allowed; 0 while one is. */
  waitMs: number;
  /** Until as many are allowed at once as ever. */
  untilFullMs: number;
}

export interface Failed {
  isOver: boolean;
  /** Until the count restarts. */
  untilMs: number;
}

// Longer than Redis ever takes when it is well; more would be felt by everybody who waits for it.
const defaultBudgetMs = 50;
// After a failure nobody asks for this long: what is unanswered must not pile up, and one question tells whether it is back.
const pauseMs = 250;
// A connection on which nothing comes back any more is made anew.
const silenceMs = 2_000;
const longestReconnectMs = 1_000;
const connectTimeoutMs = 2_000;

/** Counts within a time that the first one begins. */
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

/** For tests. */
export interface SharedCountsOptions {
  /** The clock of rates; otherwise the server's, which all replicas share. */
  nowMicros?: () => number;
  /** How long Redis may take. */
  budgetMs?: number;
}

/** Counts that all replicas of the gateway share. No call fails: `undefined` means that nobody can count at present. */
export class SharedCounts {
  private readonly redis: Redis;
  private isAway = false;
  private awaySinceMs = 0;
  private idleUntilMs = -Infinity;
  /** Settles with the first attempt to connect, so that the first requests are counted too. */
  readonly opened: Promise<unknown>;

  constructor(
    url: string,
    private readonly logger: Pick<Logger, 'info' | 'warn'>,
    private readonly options: SharedCountsOptions = {},
  ) {
    this.redis = new Redis(url, {
      connectTimeout: connectTimeoutMs,
      // Nobody waits for a server that is away.
      enableOfflineQueue: false,
      maxRetriesPerRequest: 0,
      retryStrategy: (attempt) => Math.min(attempt * 50, longestReconnectMs),
    });
    this.redis.defineCommand('tollbridgeBucket', { lua: bucketScript, numberOfKeys: 1 });
    this.redis.defineCommand('tollbridgeWindow', { lua: windowScript, numberOfKeys: 1 });
    this.redis.defineCommand('tollbridgeFail', { lua: failScript, numberOfKeys: 1 });
    // What fails is told once by those who ask.
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

  /** Counts a failure; more than `most` within the window that the first one began are too many. */
  async fail(name: string, most: number, windowMs: number): Promise<Failed | undefined> {
    const reply = await this.ask(() => this.redis.tollbridgeFail(`gateway:failed:${name}`, windowMs));
    return reply && { isOver: reply[0] > most, untilMs: Math.max(1, reply[1]) };
  }

  close(): void {
    this.redis.disconnect();
  }

  private async ask<T>(work: () => Promise<T>): Promise<T | undefined> {
    const nowMs = performance.now();
    if (nowMs < this.idleUntilMs) return undefined;
    // One asks whether it is back; the others do not wait with it.
    if (this.isAway) this.idleUntilMs = nowMs + pauseMs;
    try {
      const reply = await within(this.options.budgetMs ?? defaultBudgetMs, work());
      if (this.isAway) this.logger.info('requests are counted again');
      this.isAway = false;
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
    if (!this.isAway) {
      this.logger.warn({ err: error }, 'requests cannot be counted');
      this.awaySinceMs = nowMs;
      this.isAway = true;
    } else if (this.redis.status === 'ready' && nowMs - this.awaySinceMs > silenceMs) {
      // A server that is gone without a word would be waited for until TCP gives up, a quarter of an hour later.
      this.redis.stream.destroy();
      this.awaySinceMs = nowMs;
    }
  }
}

/** Gives up after a time; an answer that is here already, and only not read because this process was busy, counts. */
function within<T>(timeoutMs: number, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const giveUp = (): void => reject(new Error(`no answer within ${timeoutMs} ms`));
    const timer = setTimeout(() => setImmediate(giveUp), timeoutMs);
    work.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
