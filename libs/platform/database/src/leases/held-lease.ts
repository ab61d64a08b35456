import type { Candidate } from './lease-plan';

/** The exclusive right to work that one replica does at a time. */
export interface Lease {
  readonly name: string;
  /** Whether this process may begin to work. It becomes false without an event when a renewal is late. */
  readonly isHeld: boolean;
  /** Increases with every new holder; undefined while the lease is not held. */
  readonly term: string | undefined;
  /** Calls the listener each time the lease is acquired. */
  onAcquired(listener: () => void): void;
  /** Runs work that must end before another replica gets the lease. @returns undefined if the lease is not held */
  run<T>(work: () => Promise<T>): Promise<T | undefined>;
}

/** The state of a lease in its process, measured by the process's own monotonic clock. */
export class HeldLease implements Lease, Candidate {
  isYielding = false;
  private held: { term: string; untilMs: number } | undefined;
  private readonly listeners: (() => void)[] = [];
  private readonly work = new Set<Promise<unknown>>();

  constructor(
    readonly name: string,
    readonly team: string | undefined,
  ) {}

  /** Whether this process's last read of the row showed it as the holder. */
  get isOwned(): boolean {
    return this.held !== undefined;
  }

  get isHeld(): boolean {
    return this.held !== undefined && !this.isYielding && performance.now() < this.held.untilMs;
  }

  get term(): string | undefined {
    return this.isHeld ? this.held!.term : undefined;
  }

  onAcquired(listener: () => void): void {
    this.listeners.push(listener);
  }

  async run<T>(work: () => Promise<T>): Promise<T | undefined> {
    if (!this.isHeld) return undefined;
    const running = work();
    this.work.add(running);
    try {
      return await running;
    } finally {
      this.work.delete(running);
    }
  }

  hold(term: string, untilMs: number): void {
    this.held = { term, untilMs };
  }

  lose(): void {
    this.held = undefined;
  }

  announce(): void {
    for (const listener of this.listeners) listener();
  }

  async ended(): Promise<void> {
    while (this.work.size > 0) await Promise.allSettled(this.work);
  }
}
