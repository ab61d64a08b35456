/** Keeps the entries that were used last, and as many as it may. */
export class BoundedMap<K, V> {
  private readonly entries = new Map<K, V>();

  constructor(private readonly maxEntries: number) {}

  get size(): number {
    return this.entries.size;
  }

  get(key: K): V | undefined {
    const value = this.entries.get(key);
    if (value === undefined) return undefined;
    this.entries.delete(key);
    this.entries.set(key, value);
    return value;
  }

  /** What had to go for it, if anything. */
  set(key: K, value: V): V | undefined {
    this.entries.delete(key);
    this.entries.set(key, value);
    if (this.entries.size <= this.maxEntries) return undefined;
    const [oldest, dropped] = this.entries.entries().next().value!;
    this.entries.delete(oldest);
    return dropped;
  }

  /** Removes an entry and returns it. */
  take(key: K): V | undefined {
    const value = this.entries.get(key);
    this.entries.delete(key);
    return value;
  }
}
