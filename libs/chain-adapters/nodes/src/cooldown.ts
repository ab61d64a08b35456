export type UnhealthyReason = 'unavailable' | 'badReply' | 'rateLimited' | 'wrongChain' | 'lagging';

// Long enough to spare a dead node, and short enough to use a repaired node without a restart.
export const maxCooldownMs = 300_000;
// Usually a node has restarted, or a connection is restored, after about this time.
const firstCooldownMs = 1_000;
// Limit for the only endpoint of a chain. A longer pause does not help, since no other endpoint can answer.
export const maxCooldownAloneMs = 1_000;

/**
 * Pauses an endpoint after a failure. The pause doubles with each failure. Jitter prevents many processes from
 * returning to an overloaded node at the same moment.
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

  /** Whether the pause may be shortened. A pause after Retry-After or a wrong chain is never shortened. */
  get mayBeTriedEarly(): boolean {
    return !this.waitIsAsked && this.reason !== 'wrongChain';
  }

  succeeded(nowMs: number): void {
    // A lagging node replies too, so a reply does not end its pause.
    if (this.reason === 'lagging') return;
    if (this.isActive(nowMs)) this.untilMs = nowMs;
    // One reply between two failures does not reset the pause. The endpoint must stay healthy for as long as it was
    // unhealthy.
    if (nowMs >= this.untilMs + this.durationMs) this.failuresInARow = 0;
  }

  /** Called when the head of the endpoint has caught up with the others. */
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
