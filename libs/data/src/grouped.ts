interface Waiting<Item, Result> {
  item: Item;
  resolve(result: Result): void;
  reject(error: unknown): void;
}

/**
 * Lets concurrent requests share a database round trip, and for writes a commit. What arrives while earlier groups are
 * under way forms the next group, so a lone request goes at once, and under load one statement serves many. Each
 * caller is answered only after the statement that holds its item. A group that fails is run again item by item, so
 * that one bad item is the failure of its own caller only.
 */
export class Grouped<Item, Result> {
  private waiting: Waiting<Item, Result>[] = [];
  private running = 0;

  constructor(
    /** Serves all items by one statement and answers their results in the same order. */
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
    // The rest of this tick's requests join the group before it leaves.
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
      group.forEach(({ resolve }, index) => resolve(results[index]!));
    } catch (error) {
      if (group.length === 1 || isConnectionLoss(error)) return group.forEach(({ reject }) => reject(error));
      for (const member of group) await this.runGroup([member]);
    }
  }
}

/** After a lost connection nobody knows whether the commit took place: repeating it item by item could write twice. */
function isConnectionLoss(error: unknown): boolean {
  const { code } = error as { code?: string };
  return code === undefined || !/^[0-9A-Z]{5}$/.test(code) || code.startsWith('08') || code.startsWith('57P');
}
