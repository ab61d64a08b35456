import { setTimeout as pause } from 'node:timers/promises';

/** Too many wait for their turn already. */
export class PaceExceeded extends Error {}

// Who would have to wait for longer is better told so.
const longestWaitMs = 10_000;
// A second, and what requests may gain on each other on their way.
const windowMs = 1_100;

/** Keeps to what a provider that counts them allows: so many requests in any second, as soon as there is room. */
export class Pace {
  /** Of the last ones, oldest first. */
  private readonly startsMs: number[] = [];

  constructor(
    private readonly perSecond: number,
    private readonly nowMs: () => number = () => performance.now(),
  ) {}

  /**
   * Until it is the caller's turn.
   * @throws PaceExceeded at once when that would take too long
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
