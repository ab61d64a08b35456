interface Member {
  beat(): void;
}

/**
 * Calls each member once per period, with one timer for all of them. Members are spread over the period, so that
 * thousands of members do not write in one turn of the event loop. The timer runs only while there are members.
 */
export class BeatWheel<M extends Member> {
  private readonly slots: Set<M>[];
  private timer: NodeJS.Timeout | undefined;
  private next = 0;
  private joining = 0;

  constructor(
    private readonly periodMs: number,
    parts = 15,
  ) {
    this.slots = Array.from({ length: parts }, () => new Set());
  }

  /** @returns the slot of the member, for `leave` */
  join(member: M): number {
    const slot = this.joining++ % this.slots.length;
    this.slots[slot]!.add(member);
    this.timer ??= setInterval(() => this.turn(), this.periodMs / this.slots.length).unref();
    return slot;
  }

  leave(member: M, slot: number): void {
    this.slots[slot]!.delete(member);
    if (this.slots.every(({ size }) => size === 0)) this.stop();
  }

  private turn(): void {
    for (const member of this.slots[this.next++ % this.slots.length]!) member.beat();
  }

  private stop(): void {
    clearInterval(this.timer);
    this.timer = undefined;
  }
}
