interface LookedAfter {
  lookAfter(): void;
}

// Thousands of pings in one turn of the event loop would hold up updates: each part gets its own moment.
const parts = 30;

/** Looks after each of its members once in a period, spread over the period. */
export class Heartbeat {
  private readonly members: Set<LookedAfter>[] = Array.from({ length: parts }, () => new Set());
  private readonly timer: NodeJS.Timeout;
  private next = 0;
  private joining = 0;

  constructor(periodMs: number) {
    this.timer = setInterval(() => this.beat(), periodMs / parts);
    this.timer.unref();
  }

  /** Answers what ends it. */
  join(member: LookedAfter): () => void {
    const part = this.members[this.joining++ % parts]!;
    part.add(member);
    return () => part.delete(member);
  }

  stop(): void {
    clearInterval(this.timer);
  }

  private beat(): void {
    for (const member of this.members[this.next++ % parts]!) member.lookAfter();
  }
}
