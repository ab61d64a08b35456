const tickMs = 1_000;
// Limits the load on the services when many watched payments are confirming. Each is then read less often.
const maxReadsPerTick = 100;

/**
 * The times to read resources that change without an event. One timer serves all of them, because there may be
 * thousands.
 */
export class ReadTimes<T> {
  /** In the order of insertion, so that no item waits behind others indefinitely. */
  private readonly times = new Map<T, number>();
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly onDue: (item: T) => void) {}

  /** Replaces the time of an item; undefined removes it. */
  set(item: T, atMs: number | undefined): void {
    this.times.delete(item);
    if (atMs !== undefined) this.times.set(item, atMs);
    if (this.times.size === 0) return this.clear();
    this.timer ??= setInterval(() => this.tick(Date.now()), tickMs).unref();
  }

  clear(): void {
    this.times.clear();
    clearInterval(this.timer);
    this.timer = undefined;
  }

  private tick(nowMs: number): void {
    const due = [...this.times].filter(([, atMs]) => atMs <= nowMs).slice(0, maxReadsPerTick);
    for (const [item] of due) {
      // The read sets the next time.
      this.times.delete(item);
      this.onDue(item);
    }
  }
}
