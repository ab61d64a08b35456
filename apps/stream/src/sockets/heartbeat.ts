interface HeartbeatMember {
  checkAlive(): void;
}

// Members are spread over the period, because thousands of pings in one event-loop turn would delay updates.
const parts = 30;

/** Checks each member once per period. The timer runs only while there are members. */
export class Heartbeat {
  private readonly members: Set<HeartbeatMember>[] = Array.from({ length: parts }, () => new Set());
  private timer: NodeJS.Timeout | undefined;
  private isStopped = false;
  private next = 0;
  private joining = 0;

  constructor(private readonly periodMs: number) {}

  /** @returns a function that removes the member */
  join(member: HeartbeatMember): () => void {
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
    for (const member of this.members[this.next++ % parts]!) member.checkAlive();
    if (this.members.every(({ size }) => size === 0)) this.pause();
  }
}
