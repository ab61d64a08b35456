import { setTimeout as pause } from 'node:timers/promises';

/** Thrown when the queue is too long. */
export class PaceExceeded extends Error {}

// A longer wait is rejected immediately.
const longestWaitMs = 10_000;
// A second, plus a margin for network jitter.
const windowMs = 1_100;

/** Client-side rate limit: at most `perSecond` requests in any second. */
export class Pace {
  /** Start times of the last requests, oldest first. */
  private readonly startsMs: number[] = [];

  constructor(
    private readonly perSecond: number,
    private readonly nowMs: () => number = () => performance.now(),
  ) {}

  /**
   * Waits for the caller's turn.
   * @throws PaceExceeded immediately when the wait would be too long
   */
  async turn(signal?: AbortSignal): Promise<void> {
    const now = this.nowMs();
    const isFull = this.startsMs.length >= this.perSecond;
    const startMs = isFull ? Math.max(now, this.startsMs[0]! + windowMs) : now;
    if (startMs - now > longestWaitMs) throw new PaceExceeded();
    if (isFull) this.startsMs.shift();
    this.startsMs.push(startMs);
    if (startMs > now) await pause(startMs - now, undefined, signal ? { signal } : {});
  }
}
