import type { Clock } from '@tollbridge/database';

/** The last time of each query. It is in memory, because it only saves requests. */
export class Intervals {
  /** Oldest first. */
  private readonly askedAtMs = new Map<string, number>();

  /** @param longestMs the longest interval; older entries are dropped */
  constructor(
    private readonly clock: Clock,
    private readonly longestMs: number,
  ) {}

  /** Returns true if `what` was last done at least `everyMs` ago, and then records the current time. */
  isDue(what: string, everyMs: number, firstAtMs: number): boolean {
    const nowMs = this.clock.now();
    if (nowMs - (this.askedAtMs.get(what) ?? firstAtMs) < everyMs) return false;
    this.askedAtMs.delete(what);
    this.askedAtMs.set(what, nowMs);
    // Older entries are not needed, because no interval is longer.
    for (const [oldest, atMs] of this.askedAtMs) {
      if (nowMs - atMs <= this.longestMs) break;
      this.askedAtMs.delete(oldest);
    }
    return true;
  }
}
