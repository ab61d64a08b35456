import type { Pool } from 'pg';
import type { Price } from './price';

/** Last prices of an app's tokens, and which replica reads next. For a migration of each app that has prices. */
export const pricesTables = `
  CREATE TABLE token_prices (
    -- Chain and address, as the registry compares them.
    token text PRIMARY KEY,
    usd numeric NOT NULL CHECK (usd > 0),
    priced_at timestamptz NOT NULL,
    -- When the source was asked that returned it.
    asked_at timestamptz NOT NULL
  );
  CREATE TABLE price_reading (
    singleton boolean PRIMARY KEY DEFAULT true CHECK (singleton),
    -- When all sources were last asked, and none failed.
    read_at timestamptz NOT NULL DEFAULT '-infinity',
    -- No other process asks until then: the reader's lease, or the pause after a failure.
    next_at timestamptz NOT NULL DEFAULT '-infinity',
    failures integer NOT NULL DEFAULT 0
  );
  INSERT INTO price_reading DEFAULT VALUES;
`;
export const dropPricesTables = 'DROP TABLE price_reading, token_prices;';

/** The result of reading the sources once. */
export interface Reading {
  /** When the first source was asked. */
  askedAtMs: number;
  prices: ReadonlyMap<string, Price>;
  /**
   * `complete` when every requested source has answered; `stopped` when the app ends, without a failure of a source.
   */
  outcome: 'complete' | 'failed' | 'stopped';
}

/** Prices that the replicas of an app share. Times are those of the app's clock, which is the database's. */
export interface SharedPrices {
  /** Takes the lease to read the sources: true for one replica at a time, if none has read since `sinceMs`. */
  claim(sinceMs: number, nowMs: number): Promise<boolean>;
  finish(reading: Reading, nowMs: number): Promise<void>;
  /** The last known price of each token, however old. */
  load(): Promise<ReadonlyMap<string, Price>>;
}

// Longer than all sources together may take. After a crash, another replica reads once it has expired.
export const readingLeaseMs = 30_000;
const firstPauseMs = 2_000;
const longestPauseMs = 60_000;

export class PostgresPrices implements SharedPrices {
  constructor(
    private readonly pool: Pick<Pool, 'query'>,
    private readonly random: () => number = Math.random,
  ) {}

  async claim(sinceMs: number, nowMs: number): Promise<boolean> {
    const { rowCount } = await this.pool.query({
      name: 'prices-claim',
      // A time too far ahead comes from a clock that was set back since; it is ignored.
      text: `UPDATE price_reading SET next_at = $3
             WHERE (next_at <= $2 OR next_at > $4) AND (read_at <= $1 OR read_at > $2)`,
      values: [sinceMs, nowMs, nowMs + readingLeaseMs, nowMs + longestPauseMs].map((ms) => new Date(ms)),
    });
    return rowCount === 1;
  }

  async finish({ askedAtMs, prices, outcome }: Reading, nowMs: number): Promise<void> {
    const found = [...prices];
    // A replica that outlived its lease overwrites no later read.
    await this.pool.query({
      name: 'prices-save',
      text: `INSERT INTO token_prices AS p (token, usd, priced_at, asked_at)
             SELECT g.*, $4 FROM unnest($1::text[], $2::numeric[], $3::timestamptz[]) AS g (token, usd, priced_at) ORDER BY token
             ON CONFLICT (token) DO UPDATE
             SET usd = excluded.usd, priced_at = excluded.priced_at, asked_at = excluded.asked_at
             WHERE p.asked_at <= excluded.asked_at OR p.asked_at > $5`,
      values: [
        found.map(([token]) => token),
        found.map(([, { usd }]) => usd),
        found.map(([, { atMs }]) => new Date(atMs)),
        new Date(askedAtMs),
        new Date(nowMs),
      ],
    });
    await this.pool.query({
      name: 'prices-finish',
      text: `UPDATE price_reading SET
               failures = CASE $1 WHEN 'complete' THEN 0 WHEN 'failed' THEN failures + 1 ELSE failures END,
               read_at = CASE $1 WHEN 'complete' THEN $2::timestamptz ELSE read_at END,
               next_at = $2::timestamptz + CASE $1 WHEN 'failed' THEN
                 least($3 * 2 ^ least(failures, 10), $4) * $5 * interval '1 millisecond' ELSE interval '0' END`,
      // Between half and all of the pause: replicas of several apps do not ask in step.
      values: [outcome, new Date(nowMs), firstPauseMs, longestPauseMs, (1 + this.random()) / 2],
    });
  }

  async load(): Promise<ReadonlyMap<string, Price>> {
    const { rows } = await this.pool.query<{ token: string; usd: string; priced_at: Date }>({
      name: 'prices-load',
      text: 'SELECT token, usd::text, priced_at FROM token_prices',
    });
    return new Map(rows.map(({ token, usd, priced_at: at }) => [token, { usd, atMs: at.getTime() }]));
  }
}
