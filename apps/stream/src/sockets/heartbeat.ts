interface LookedAfter {
  lookAfter(): void;
}

// Thousands of pings in one turn of the event loop would hold up updates: each part gets its own moment.
const parts = 30;

/** Looks after each of its members once in a period, spread over the period. Runs while there are members only. */
export class Heartbeat {
  private readonly members: Set<LookedAfter>[] = Array.from({ length: parts }, () => new Set());
  private timer: NodeJS.Timeout | undefined;
  private isStopped = false;
  private next = 0;
  private joining = 0;

  constructor(private readonly periodMs: number) {}

  /** Answers what ends it. */
  join(member: LookedAfter): () => void {
    const part = this.members[this.joining++ % parts]!;
    part.add(member);
    if (!this.isStopped) this.timer ??= setInterval(() => this.beat(), this.periodMs / parts).unref();
    return () => part.delete(member);
  }

  stop(): void {
    this.isStopped = true;
    this.pause();
  }

  private pause(): void {
    clearInterval(this.timer);
    this.timer = undefined;
  }

  private beat(): void {
    for (const member of this.members[this.next++ % parts]!) member.lookAfter();
    if (this.members.every(({ size }) => size === 0)) this.pause();
  }
}
