/** A map that forgets its oldest entry when it is full, so that a cache cannot be made to fill the memory. */
export class BoundedMap<K, V> {
  private readonly entries = new Map<K, V>();

  constructor(private readonly capacity: number) {}

  get size(): number {
    return this.entries.size;
  }

  get(key: K): V | undefined {
    return this.entries.get(key);
  }

  set(key: K, value: V): void {
    if (this.entries.size >= this.capacity && !this.entries.has(key)) {
      // A Map iterates in the order of insertion, so the first key is the oldest.
      for (const oldest of this.entries.keys()) {
        this.entries.delete(oldest);
        break;
      }
    }
    this.entries.set(key, value);
  }
}
