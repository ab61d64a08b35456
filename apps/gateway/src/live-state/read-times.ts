const tickMs = 1_000;
// Bounds the load on the services when many followed payments are confirming: each is read less often then.
const maxReadsPerTick = 100;

/** When to read what changes without an event. One timer for all, since there may be thousands. */
export class ReadTimes<T> {
  /** Ordered by the time of setting, so that no item waits for ever behind others. */
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
      // Its read sets the next time.
      this.times.delete(item);
      this.onDue(item);
    }
  }
}
