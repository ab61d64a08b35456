import { sqlStateOf } from './database-failure';

interface Waiting<Item, Result> {
  item: Item;
  resolve(result: Result): void;
  reject(error: unknown): void;
}

/**
 * Group commit: concurrent requests share a database round trip, and for writes a commit. Items that arrive while earlier
 * groups run form the next group; a lone item runs at once. Each caller gets its result after the statement with its item.
 * A group that the database rejects is retried item by item, so that a bad item fails for its own caller only.
 */
export class Batcher<Item, Result> {
  private waiting: Waiting<Item, Result>[] = [];
  private running = 0;

  constructor(
    /** Handles all items in one statement and returns their results in the same order. */
    private readonly work: (rows: Item[]) => Promise<Result[]>,
    private readonly limits: { maxGroup: number; maxConcurrent: number },
  ) {}

  add(item: Item): Promise<Result> {
    return new Promise((resolve, reject) => {
      this.waiting.push({ item, resolve, reject });
      this.next();
    });
  }

  private next(): void {
    if (this.running >= this.limits.maxConcurrent || this.waiting.length === 0) return;
    this.running++;
    // Other requests of this tick join the group before it runs.
    setImmediate(() => void this.flush());
  }

  private async flush(): Promise<void> {
    const group = this.waiting.splice(0, this.limits.maxGroup);
    try {
      if (group.length > 0) await this.runGroup(group);
    } finally {
      this.running--;
      this.next();
    }
  }

  private async runGroup(group: Waiting<Item, Result>[]): Promise<void> {
    try {
      const results = await this.work(group.map(({ item }) => item));
      if (results.length !== group.length)
        throw new Error(`${results.length} results for ${group.length} items`);
      group.forEach(({ resolve }, index) => resolve(results[index]!));
    } catch (error) {
      if (group.length === 1 || !isRejected(error)) return group.forEach(({ reject }) => reject(error));
      for (const member of group) await this.runGroup([member]);
    }
  }
}

// Data (22), constraints (21, 23, 44), errors raised by triggers (P0), and conflicts of transactions (40).
const rejections = ['21', '22', '23', '40', '44', 'P0'];

/**
 * Whether the database rejected the group because of an item. Other failures are not retried: after a lost connection the
 * commit is unknown, and a retry could write twice; a full disk or a time-out would fail each item again.
 */
function isRejected(error: unknown): boolean {
  const state = sqlStateOf(error);
  return state !== undefined && state !== '40003' && rejections.includes(state.slice(0, 2));
}
