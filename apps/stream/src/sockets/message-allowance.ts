/** How many messages a client may still send: so many at once, and so many a second in the long run. */
export class MessageAllowance {
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

  /** False when there is none left. */
  spend(): boolean {
    const nowMs = this.nowMs();
    const grown = this.left + ((nowMs - this.countedMs) / 1_000) * this.perSecond;
    this.left = Math.min(this.atOnce, grown);
    this.countedMs = nowMs;
    if (this.left < 1) return false;
    this.left -= 1;
    return true;
  }
}
