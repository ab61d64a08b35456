import type { Pool } from 'pg';
import { transaction } from './database';

/** Where time decides something, it is asked for here, so that a test can set it. */
export interface Clock {
  /** Milliseconds since 1970, UTC. */
  now(): number;
  /** Calls back when the time was set; absent on clocks that only run on. @returns what ends it */
  onSet?(listener: () => void): () => void;
}

export const Clock = Symbol('Clock');

export const systemClock: Clock = { now: () => Date.now() };

// Clocks of machines drift by milliseconds an hour; half a minute is more than enough.
const measureIntervalMs = 30_000;

/**
 * The database's time, measured every half minute: replicas with different clocks agree on what has expired, and
 * asking costs nothing. In between it runs on the process's monotonic time, which cannot be set.
 */
export class DatabaseClock implements Clock {
  /** The database's time at the moment from which `performance.now()` counts. */
  private originMs = 0;
  private readonly timer: NodeJS.Timeout;

  private constructor(private readonly pool: Pool) {
    // A database that is away for a while leaves the last measure standing, which is good for hours.
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
      const { rows } = await client.query<{ ms: number }>(
        'SELECT (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS ms',
      );
      this.originMs = rows[0]!.ms - (sentMs + performance.now()) / 2;
    });
  }
}
