/** A token bucket for a client's messages: `atOnce` as a burst, `perSecond` in the long run. */
export class MessageRateLimit {
  private left: number;
  private countedMs: number;

  constructor(
    private readonly atOnce: number,
    private readonly perSecond: number,
    private readonly nowMs: () => number = () => performance.now(),
  ) {
    this.left = atOnce;
    this.countedMs = nowMs();
  }

  /** Takes one token. @returns false if the bucket is empty */
  take(): boolean {
    const nowMs = this.nowMs();
    const grown = this.left + ((nowMs - this.countedMs) / 1_000) * this.perSecond;
    this.left = Math.min(this.atOnce, grown);
    this.countedMs = nowMs;
    if (this.left < 1) return false;
    this.left -= 1;
    return true;
  }
}
