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

/**
 * The time of the database, measured every half minute, so that replicas with different clocks agree on what has expired.
 * In between it advances by the monotonic time of the process, so reading it costs nothing.
 */
export class DatabaseClock implements Clock {
  /** The database's time at the moment from which `performance.now()` counts. */
  private originMs = 0;
  private readonly timer: NodeJS.Timeout;

  private constructor(private readonly pool: Pool) {
    // While the database is unreachable the last measurement stays in use; it is accurate for hours.
    this.timer = setInterval(() => void this.measure().catch(() => undefined), measureIntervalMs);
    this.timer.unref();
  }

  static async start(pool: Pool): Promise<DatabaseClock> {
    const clock = new DatabaseClock(pool);
    await clock.measure();
    return clock;
  }

  now(): number {
    return Math.round(this.originMs + performance.now());
  }

  stop(): void {
    clearInterval(this.timer);
  }

  private async measure(): Promise<void> {
    await transaction(this.pool, async (client) => {
      // The connection is open now, so waiting for it is not part of the round trip. The time is read in its middle.
      const sentMs = performance.now();
      // SQL: reads no table.
      const { rows } = await client.query<{ ms: number }>(
        'SELECT (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS ms',
      );
      this.originMs = rows[0]!.ms - (sentMs + performance.now()) / 2;
    });
  }
}
