import type { Pool } from 'pg';
import { transaction } from './database';

/** The source of time for all decisions. A test can set it. */
export interface Clock {
  /** Milliseconds since 1970, UTC. */
  now(): number;
  /**
   * Calls the listener when the time is set; absent on clocks that cannot be set. @returns a function that unsubscribes
   */
  onSet?(listener: () => void): () => void;
  /** The real time, for clocks with a `now` that may be ahead of it. */
  realNow?(): number;
}

/** The time for values that other systems compare with their own clock, such as the time in a signature. */
export const realTimeOf = (clock: Clock): number => clock.realNow?.() ?? clock.now();

export const Clock = Symbol('Clock');

export const systemClock: Clock = { now: () => Date.now() };

// Machine clocks drift by milliseconds an hour, so this interval is short enough.
const measureIntervalMs = 30_000;
// A longer round trip, as on a busy machine, makes the measurement less precise.
const preciseMs = 5;
const firstMeasurements = 5;
// A smaller step back is a measurement error, and the clock stands still until the time has caught up. A
// larger step means that the database's clock was set back.
const maxHeldMs = 1_000;

/**
 * The time of the database, so that replicas with different clocks agree on what has expired. It is measured
 * every half minute. In between it advances by the monotonic clock of the process, so reading it needs no
 * query. It never goes backwards, unless the clock of the database was set back.
 */
export class DatabaseClock implements Clock {
  /** The database's time when `performance.now()` was 0. */
  private originMs = 0;
  private lastMs = 0;
  private readonly timer: NodeJS.Timeout;

  private constructor(private readonly pool: Pool) {
    // While the database is unreachable, the last measurement stays in use. It remains accurate for hours.
    this.timer = setInterval(() => void this.measure().catch(() => undefined), measureIntervalMs);
    this.timer.unref();
  }

  static async start(pool: Pool): Promise<DatabaseClock> {
    const clock = new DatabaseClock(pool);
    let [earliest, latest] = await clock.bounds();
    for (let count = 1; count < firstMeasurements && latest - earliest > preciseMs; count++) {
      const [after, before] = await clock.bounds();
      [earliest, latest] = [Math.max(earliest, after), Math.min(latest, before)];
    }
    clock.originMs = (earliest + latest) / 2;
    return clock;
  }

  now(): number {
    const nowMs = Math.round(this.originMs + performance.now());
    if (nowMs > this.lastMs || nowMs < this.lastMs - maxHeldMs) this.lastMs = nowMs;
    return this.lastMs;
  }

  stop(): void {
    clearInterval(this.timer);
  }

  /** Moves the origin only as far as the measured bounds require, because a slow round trip is imprecise. */
  private async measure(): Promise<void> {
    const [earliest, latest] = await this.bounds();
    this.originMs = Math.min(Math.max(this.originMs, earliest), latest);
  }

  /** Measures two bounds of the origin. The database read its time between the request and the reply. */
  private bounds(): Promise<[earliest: number, latest: number]> {
    return transaction(this.pool, async (client) => {
      // The connection is open now, so waiting for it is not part of the round trip.
      const sentMs = performance.now();
      // SQL: reads no table.
      const { rows } = await client.query<{ ms: number }>(
        'SELECT (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS ms',
      );
      const { ms } = rows[0]!;
      return [ms - performance.now(), ms - sentMs];
    });
  }
}
