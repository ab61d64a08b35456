export type UnhealthyReason = 'unavailable' | 'badReply' | 'rateLimited' | 'wrongChain' | 'lagging';

// Long enough to spare a dead node, short enough that a repaired one is noticed without a restart.
export const maxCooldownMs = 300_000;
// The usual restart of a node or a dropped connection is over in about this time.
const firstCooldownMs = 1_000;
// Limit for the only endpoint of a chain: a longer pause does not help, since no other endpoint can answer.
export const maxCooldownAloneMs = 1_000;

/**
 * How long an endpoint is not asked after it failed. The time doubles, with jitter: many processes must not return to a
 * struggling node at the same moment.
 */
export class Cooldown {
  reason: UnhealthyReason | null = null;
  untilMs = 0;
  failuresInARow = 0;
  private durationMs = 0;
  private waitIsAsked = false;

  constructor(
    private readonly maxMs: number,
    private readonly random: () => number,
  ) {}

  begin(reason: UnhealthyReason, nowMs: number, retryAfterMs: number | undefined): void {
    this.reason = reason;
    this.failuresInARow += 1;
    this.waitIsAsked = retryAfterMs !== undefined && retryAfterMs > 0;
    this.durationMs = this.durationFor(reason, retryAfterMs ?? 0);
    this.untilMs = nowMs + this.durationMs;
  }

  isActive(nowMs: number): boolean {
    return nowMs < this.untilMs;
  }

  /** Never shortened for Retry-After and for a wrong chain. */
  get mayBeTriedEarly(): boolean {
    return !this.waitIsAsked && this.reason !== 'wrongChain';
  }

  succeeded(nowMs: number): void {
    // A lagging node replies too: a reply does not end its cooldown.
    if (this.reason === 'lagging') return;
    if (this.isActive(nowMs)) this.untilMs = nowMs;
    // One reply between two failures is not enough: it must stay healthy for as long as it was unhealthy.
    if (nowMs >= this.untilMs + this.durationMs) this.failuresInARow = 0;
  }

  /** Its head has caught up with the others. */
  caughtUp(): void {
    if (this.reason !== 'lagging') return;
    this.reason = null;
    this.failuresInARow = 0;
  }

  private durationFor(reason: UnhealthyReason, retryAfterMs: number): number {
    if (reason === 'wrongChain') return maxCooldownMs;
    const doubledMs = firstCooldownMs * 2 ** (this.failuresInARow - 1);
    const backoffMs = Math.ceil(Math.min(this.maxMs, doubledMs) * (0.5 + this.random() / 2));
    return Math.min(maxCooldownMs, Math.max(backoffMs, retryAfterMs));
  }
}
