import { randomUUID } from 'node:crypto';
import type { Pool } from 'pg';
import { HeldLease, type Lease } from './held-lease';
import { isMemberName, planLeases, type LeaseState } from './lease-plan';
import { LeasesRepository } from './leases.repository';

export type { Lease } from './held-lease';

/** Table that assigns each piece of work to a process. It also has one row for each replica of a team. */
export const leasesTable = `
  CREATE TABLE leases (
    name text PRIMARY KEY,
    -- The process; null after a release.
    holder uuid,
    -- Rises with every new holder: fences writes of an earlier one.
    term bigint NOT NULL DEFAULT 1,
    -- By the clock of this database.
    expires_at timestamptz NOT NULL
  );
`;

export const dropLeasesTable = 'DROP TABLE leases;';

export interface LeasesOptions {
  pool: Pool;
  /** Time until another process can take over the work of a process that died, in milliseconds. */
  leaseMs: number;
  onError?(error: unknown): void;
  onChange?(name: string, change: 'candidate' | 'acquired' | 'lost' | 'released'): void;
  /** Called after a release, so that other replicas can acquire the leases without a delay. */
  onReleased?(): void;
}

// Number of renewals in the duration of a lease. After a failure, the next attempt follows in half of the interval.
const renewals = 4;
// The holder stops after nine tenths of the lease by its own monotonic clock, before the database ends the lease.
const usableShare = 0.9;

/**
 * The leases of one process. One statement renews them and reads the leases of other processes. It works on
 * any connection of a pool, also behind a pooler. A paused process may overlap with its successor, so the
 * work must be safe to repeat.
 */
export class Leases {
  readonly holder = randomUUID();
  private readonly repository: LeasesRepository;
  private readonly leases = new Map<string, HeldLease>();
  private freeRounds = new Map<string, number>();
  private readonly kept = new Set<string>();
  private members = '';
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> | undefined;
  private isWoken = false;
  private state: 'new' | 'started' | 'stopped' = 'new';

  constructor(private readonly options: LeasesOptions) {
    const { pool, leaseMs } = options;
    this.repository = new LeasesRepository(pool, { holder: this.holder, leaseMs });
  }

  /** @param team name of the group to spread evenly over the replicas */
  candidate(name: string, team?: string): Lease {
    if (this.leases.has(name))
      throw new Error(`This process already has a candidate for the lease ${name}. Register one per lease.`);
    const lease = new HeldLease(name, team);
    this.leases.set(name, lease);
    this.options.onChange?.(name, 'candidate');
    this.wake();
    return lease;
  }

  /** Starts the renewals. Resolves after the first round; an unreachable database is retried. */
  async start(): Promise<void> {
    this.state = 'started';
    this.wake();
    await this.running;
  }

  /** Starts a round now. */
  wake(): void {
    if (this.state !== 'started' || this.leases.size === 0) return;
    this.isWoken = true;
    if (this.running) return;
    clearTimeout(this.timer);
    this.running = this.rounds().finally(() => (this.running = undefined));
  }

  /** Releases all leases to other replicas. The work must have ended before. */
  async stop(): Promise<void> {
    const wasStarted = this.state === 'started';
    this.state = 'stopped';
    clearTimeout(this.timer);
    await this.running;
    if (!wasStarted || this.leases.size === 0) return;
    const held = [...this.leases.values()].filter((lease) => lease.isOwned);
    for (const lease of this.leases.values()) lease.lose();
    await this.repository.releaseAll();
    for (const { name } of held) this.options.onChange?.(name, 'released');
    if (held.length > 0) this.options.onReleased?.();
  }

  private async rounds(): Promise<void> {
    const { leaseMs } = this.options;
    let pauseMs = leaseMs / renewals;
    while (this.isWoken && this.state === 'started') {
      this.isWoken = false;
      // Candidates that are registered in the same tick share a round.
      await new Promise(setImmediate);
      try {
        await this.round();
        pauseMs = leaseMs / renewals;
      } catch (error) {
        this.options.onError?.(error);
        pauseMs = leaseMs / renewals / 2;
      }
    }
    if (this.state !== 'started') return;
    this.timer = setTimeout(() => this.wake(), pauseMs).unref();
  }

  private async round(): Promise<void> {
    const sentMs = performance.now();
    const rows = await this.repository.renewAndRead();
    const mine = new Map(rows.filter((row) => row.holder === this.holder).map((row) => [row.name, row]));
    for (const lease of this.leases.values()) this.update(lease, mine.get(lease.name)?.term, sentMs);
    const plan = this.plan(rows);
    if (rows.some(({ isStale }) => isStale)) await this.repository.deleteStaleMembers();
    for (const name of plan.keep) this.kept.add(name);
    const given = plan.give.map((name) => this.leases.get(name)!);
    if (given.length > 0) void this.give(given).catch((error: unknown) => this.options.onError?.(error));
    if (plan.take.length > 0) await this.take(plan.take);
  }

  private plan(rows: readonly LeaseState[]) {
    const live = new Set(rows.filter(({ isLive }) => isLive).map(({ name }) => name));
    const members = [...live].filter(isMemberName).sort().join();
    // The shares change with the set of replicas.
    if (members !== this.members) this.kept.clear();
    this.members = members;
    const candidates = [...this.leases.values()];
    const { holder, freeRounds, kept } = this;
    const plan = planLeases({
      holder,
      freeRounds,
      kept,
      candidates,
      rows: rows.map((row) => this.leaving(row)),
    });
    const free = candidates.filter(({ name }) => !live.has(name));
    this.freeRounds = new Map(free.map(({ name }) => [name, (this.freeRounds.get(name) ?? 0) + 1]));
    return plan;
  }

  /** A lease that is being released counts for no replica. */
  private leaving(row: LeaseState): LeaseState {
    return this.leases.get(row.name)?.isYielding ? { ...row, holder: null } : row;
  }

  private async take(names: string[]): Promise<void> {
    const sentMs = performance.now();
    for (const { name, term } of await this.repository.acquire(names)) {
      const lease = this.leases.get(name);
      if (lease) this.update(lease, term, sentMs);
      this.freeRounds.delete(name);
    }
  }

  private update(lease: HeldLease, term: string | undefined, sentMs: number): void {
    const wasHeld = lease.isOwned && lease.isHeld;
    if (term === undefined) {
      if (lease.isOwned) this.options.onChange?.(lease.name, 'lost');
      return lease.lose();
    }
    const isNew = !wasHeld || lease.term !== term;
    lease.hold(term, sentMs + this.options.leaseMs * usableShare);
    if (!isNew || lease.isYielding) return;
    this.options.onChange?.(lease.name, 'acquired');
    lease.announce();
  }

  /** Releases leases after their work has ended. Until then renewals continue. */
  private async give(given: HeldLease[]): Promise<void> {
    for (const lease of given) lease.isYielding = true;
    try {
      await Promise.all(given.map((lease) => lease.ended()));
      if (this.state === 'stopped') return;
      await this.repository.release(given.map(({ name }) => name));
      for (const lease of given) {
        lease.lose();
        this.options.onChange?.(lease.name, 'released');
      }
      this.options.onReleased?.();
    } finally {
      for (const lease of given) lease.isYielding = false;
    }
  }
}
