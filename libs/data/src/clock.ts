import type { Pool } from 'pg';

/** Where time decides something, it is asked for here, so that a test can set it. */
export interface Clock {
  /** Milliseconds since 1970, UTC. */
  now(): number;
}

export const Clock = Symbol('Clock');

export const systemClock: Clock = { now: () => Date.now() };

// Clocks of machines drift by milliseconds an hour; half a minute is more than enough.
const measureIntervalMs = 30_000;

/**
 * The database's time, measured against this machine's clock every half minute: replicas whose own clocks differ
 * agree on what has expired, and asking costs nothing.
 */
export class DatabaseClock implements Clock {
  private offsetMs = 0;
  private readonly timer: NodeJS.Timeout;

  private constructor(private readonly pool: Pool) {
    this.timer = setInterval(() => void this.measure().catch(() => undefined), measureIntervalMs);
    this.timer.unref();
  }

  static async start(pool: Pool): Promise<DatabaseClock> {
    const clock = new DatabaseClock(pool);
    await clock.measure();
    return clock;
  }

  now(): number {
    return Date.now() + this.offsetMs;
  }

  stop(): void {
    clearInterval(this.timer);
  }

  private async measure(): Promise<void> {
    const sentMs = Date.now();
    const { rows } = await this.pool.query<{ ms: string }>(
      'SELECT floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint AS ms',
    );
    const middleMs = (sentMs + Date.now()) / 2;
    this.offsetMs = Math.round(Number(rows[0]!.ms) - middleMs);
  }
}
