/** A clock that only the test advances. Implements the `Clock` of libs/platform/database. */
export class ManualClock {
  private readonly listeners = new Set<() => void>();

  constructor(private nowMs = Date.now()) {}

  now(): number {
    return this.nowMs;
  }

  advance(milliseconds: number): void {
    this.set(this.nowMs + milliseconds);
  }

  set(nowMs: number): void {
    this.nowMs = nowMs;
    for (const listener of this.listeners) listener();
  }

  onSet(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => void this.listeners.delete(listener);
  }
}
