import { databaseFailure, sqlStateOf } from './database-failure';

interface Waiting<Item, Result> {
  item: Item;
  addedAtMs: number;
  resolve(result: Result): void;
  reject(error: unknown): void;
}

export interface BatcherOptions {
  maxGroup: number;
  maxConcurrent: number;
  /**
   * Whether an item can run again without a further effect and with the same result. Unknown outcomes are then retried.
   */
  isIdempotent?: boolean;
  /** Maximum time that an item waits for retries of its group after temporary failures; 5 s by default. */
  retryForMs?: number;
  /** Called for each temporary failure of a group; `isRetried` is false for the last one. */
  onFailure?: ((failure: GroupFailure) => void) | undefined;
}

export interface GroupFailure {
  error: unknown;
  items: number;
  isRetried: boolean;
}

// Shorter than the time-outs of the operations that wait for a group, most of them 10 s or more.
const defaultRetryForMs = 5_000;
const firstPauseMs = 50;
const longestPauseMs = 500;

/**
 * Group commit: concurrent requests share a database round trip, and for writes a commit. Items that arrive
 * while earlier groups run form the next group; a single item runs immediately.
 *
 * Each caller gets the result of its own item. A group that the database rejects is retried item by item, so
 * that an invalid item fails only its own caller. After a temporary failure the whole group is retried, so
 * that one broken connection does not fail all requests in flight.
 */
export class Batcher<Item, Result> {
  private waiting: Waiting<Item, Result>[] = [];
  private running = 0;

  constructor(
    /** Handles all items in one statement and returns their results in the same order. */
    private readonly work: (rows: Item[]) => Promise<Result[]>,
    private readonly options: BatcherOptions,
  ) {}

  add(item: Item): Promise<Result> {
    return new Promise((resolve, reject) => {
      this.waiting.push({ item, addedAtMs: performance.now(), resolve, reject });
      this.next();
    });
  }

  private next(): void {
    if (this.running >= this.options.maxConcurrent || this.waiting.length === 0) return;
    this.running++;
    // Other requests of this tick join the group before it runs.
    setImmediate(() => void this.flush());
  }

  private async flush(): Promise<void> {
    const group = this.waiting.splice(0, this.options.maxGroup);
    try {
      if (group.length > 0) await this.runGroup(group);
    } finally {
      this.running--;
      this.next();
    }
  }

  private async runGroup(group: Waiting<Item, Result>[]): Promise<void> {
    /** The first error with an unknown outcome. Later failures cannot prove that nothing was written. */
    let unknown: unknown;
    for (let attempt = 0; ; attempt++) {
      try {
        const results = await this.work(group.map(({ item }) => item));
        if (results.length !== group.length)
          throw new Error(`${results.length} results for ${group.length} items`);
        return group.forEach(({ resolve }, index) => resolve(results[index]!));
      } catch (error) {
        const failure = databaseFailure(error);
        if (failure?.code === 'OUTCOME_UNKNOWN') unknown ??= error;
        if (group.length > 1 && unknown === undefined && isRejected(error)) return this.runEach(group);
        const isRetried = failure !== undefined && this.mayRetry(group, unknown !== undefined);
        if (failure) this.options.onFailure?.({ error, items: group.length, isRetried });
        if (!isRetried) return group.forEach(({ reject }) => reject(unknown ?? error));
      }
      await pause(Math.min(longestPauseMs, firstPauseMs * 2 ** attempt));
    }
  }

  private async runEach(group: Waiting<Item, Result>[]): Promise<void> {
    for (const member of group) await this.runGroup([member]);
  }

  private mayRetry([first]: readonly Waiting<Item, Result>[], isUnknown: boolean): boolean {
    const { isIdempotent = false, retryForMs = defaultRetryForMs } = this.options;
    return (isIdempotent || !isUnknown) && performance.now() - first!.addedAtMs < retryForMs;
  }
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

// Data (22), constraints (21, 23, 44), errors raised by triggers (P0), and conflicts of transactions (40).
const rejections = ['21', '22', '23', '40', '44', 'P0'];

/** Whether the database rejected the group because of an item. */
function isRejected(error: unknown): boolean {
  const state = sqlStateOf(error);
  return state !== undefined && state !== '40003' && rejections.includes(state.slice(0, 2));
}
