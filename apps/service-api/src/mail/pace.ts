import { setTimeout as pause } from 'node:timers/promises';

/** Too many wait for their turn already. */
export class PaceExceeded extends Error {}

// Who would have to wait for longer is better told so.
const longestWaitMs = 10_000;

/** Spreads requests to a provider that counts them: a second's worth at once, and then evenly. */
export class Pace {
  private readonly everyMs: number;
  private nextAtMs = 0;

  constructor(
    private readonly perSecond: number,
    private readonly nowMs: () => number = () => performance.now(),
  ) {
    this.everyMs = 1_000 / perSecond;
  }

  /**
   * Until it is the caller's turn.
   * @throws PaceExceeded at once when that would take too long
   */
  async turn(signal?: AbortSignal): Promise<void> {
    const now = this.nowMs();
    const startMs = Math.max(this.nextAtMs, now - this.everyMs * (this.perSecond - 1));
    const waitMs = startMs - now;
    if (waitMs > longestWaitMs) throw new PaceExceeded();
    this.nextAtMs = startMs + this.everyMs;
    if (waitMs > 0) await pause(waitMs, undefined, signal ? { signal } : {});
  }
}
