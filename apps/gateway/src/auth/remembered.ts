interface Entry<T> {
  known: T;
  untilMs: number;
}

// How long an answer is believed when nobody tells of its change: the bound for a lost event. Long enough that a restart
// of the service behind it is not noticed by those who call often.
export const lifetimeMs = 5_000;
// Some hundred bytes each. With more in use at a time, those remembered longest are asked for again.
const maxEntries = 10_000;

/**
 * What the service behind has vouched for, by the SHA-256 of what was presented; what was presented itself is nowhere
 * kept. Only what is good is remembered: the rest is counted, and soon not asked for at all.
 */
export class Remembered<T> {
  private readonly entries = new Map<string, Entry<T>>();
  private readonly asked = new Map<string, Promise<T>>();
  /** Counts what was forgotten: an answer that was asked for before that may be outdated. */
  private forgotten = 0;

  constructor(private readonly idOf: (known: T) => string) {}

  recall(digest: string): T | undefined {
    const entry = this.entries.get(digest);
    return entry && entry.untilMs > performance.now() ? entry.known : undefined;
  }

  /** Those who present the same meanwhile wait for the same answer. */
  ask(digest: string, question: () => Promise<T>): Promise<T> {
    const pending = this.asked.get(digest);
    if (pending) return pending;
    const asking = this.answer(digest, question).finally(() => {
      if (this.asked.get(digest) === asking) this.asked.delete(digest);
    });
    this.asked.set(digest, asking);
    return asking;
  }

  forget(id: string): void {
    this.forgotten++;
    this.asked.clear();
    for (const [digest, { known }] of this.entries) if (this.idOf(known) === id) this.entries.delete(digest);
  }

  forgetAll(): void {
    this.forgotten++;
    this.asked.clear();
    this.entries.clear();
  }

  get size(): number {
    return this.entries.size;
  }

  private async answer(digest: string, question: () => Promise<T>): Promise<T> {
    const { forgotten } = this;
    const known = await question();
    if (forgotten === this.forgotten) this.remember(digest, known);
    return known;
  }

  private remember(digest: string, known: T): void {
    // Set anew, it stands last: the first is always the oldest.
    this.entries.delete(digest);
    this.entries.set(digest, { known, untilMs: performance.now() + lifetimeMs });
    if (this.entries.size <= maxEntries) return;
    const [oldest] = this.entries.keys();
    this.entries.delete(oldest!);
  }
}
