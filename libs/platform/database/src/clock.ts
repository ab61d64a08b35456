import type { Pool } from 'pg';
import { transaction } from './database';

/** The source of time for all decisions, so that a test can set it. */
export interface Clock {
  /** Milliseconds since 1970, UTC. */
  now(): number;
  /** Calls back when the time is set; absent on clocks that cannot be set. @returns a function that unsubscribes */
  onSet?(listener: () => void): () => void;
  /** The real time, where `now` may be ahead of it; absent where it never is. */
  realNow?(): number;
}

/** For what others compare with their own time, such as the time in a signature. */
export const realTimeOf = (clock: Clock): number => clock.realNow?.() ?? clock.now();

export const Clock = Symbol('Clock');

export const systemClock: Clock = { now: () => Date.now() };

// Clocks of machines drift by milliseconds an hour; half a minute is ample.
const measureIntervalMs = 30_000;
// A round trip of a busy machine takes longer, and says less about the time.
const preciseMs = 5;
const firstMeasurements = 5;
// A step back of this much is an error of a measurement; the time then stands still. Beyond it, the database's clock
// was set.
const maxHeldMs = 1_000;

/**
 * The time of the database, measured every half minute, so that replicas with different clocks agree on what has
 * expired. In between it advances by the monotonic time of the process, so reading it costs nothing. It never goes
 * backwards, unless the clock of the database was set back.
 */
export class DatabaseClock implements Clock {
  /** The database's time when `performance.now()` was 0. */
  private originMs = 0;
  private lastMs = 0;
  private readonly timer: NodeJS.Timeout;

  private constructor(private readonly pool: Pool) {
    // While the database is unreachable the last measurement stays in use; it is accurate for hours.
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

  /** Moves the origin no further than the measurement proves: a slow round trip proves little. */
  private async measure(): Promise<void> {
    const [earliest, latest] = await this.bounds();
    this.originMs = Math.min(Math.max(this.originMs, earliest), latest);
  }

  /** Measures two bounds of the origin: the database read its time between request and reply. */
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
