import type { Pool } from 'pg';
import type { KeptPrice } from './price';

/**
 * Tables of the last prices of an app's tokens, and of the replica that reads next. Use it in a migration of each app
 * with prices.
 */
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
/** Columns that a later migration of each app with prices adds: the source, and the last price that was agreed. */
export const agreedPriceColumns = `
  ALTER TABLE token_prices
    ADD COLUMN source text,
    ADD COLUMN agreed_usd numeric,
    ADD COLUMN agreed_at timestamptz;
`;
export const dropAgreedPriceColumns = `
  ALTER TABLE token_prices DROP COLUMN source, DROP COLUMN agreed_usd, DROP COLUMN agreed_at;
`;
export const dropPricesTables = 'DROP TABLE price_reading, token_prices;';

/** The result of reading the sources once. */
export interface Reading {
  /** Time of the request to the first source. */
  askedAtMs: number;
  prices: ReadonlyMap<string, KeptPrice>;
  /** `complete` if every requested source has answered. `stopped` if the app ended without a failure of a source. */
  outcome: 'complete' | 'failed' | 'stopped';
}

/** Prices that the replicas of an app share. Times are on the app's clock, which follows the database's clock. */
export interface SharedPrices {
  /**
   * Acquires the lease to read the sources. Returns true for one replica at a time, and only if no replica has read
   * since `sinceMs`.
   */
  claim(sinceMs: number, nowMs: number): Promise<boolean>;
  finish(reading: Reading, nowMs: number): Promise<void>;
  /** Returns the last known price of each token, whatever its age. */
  load(): Promise<ReadonlyMap<string, KeptPrice>>;
}

// Longer than the time for all sources together. After a crash, another replica reads when the lease has expired.
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
      // A time too far ahead comes from a clock that was later set back, and is ignored.
      text: `UPDATE price_reading SET next_at = $3
             WHERE (next_at <= $2 OR next_at > $4) AND (read_at <= $1 OR read_at > $2)`,
      values: [sinceMs, nowMs, nowMs + readingLeaseMs, nowMs + longestPauseMs].map((ms) => new Date(ms)),
    });
    return rowCount === 1;
  }

  async finish({ askedAtMs, prices, outcome }: Reading, nowMs: number): Promise<void> {
    const found = [...prices];
    // A replica that exceeded its lease must not overwrite a later read.
    await this.pool.query({
      name: 'prices-save',
      text: `INSERT INTO token_prices AS p (token, usd, priced_at, source, agreed_usd, agreed_at, asked_at)
             SELECT g.*, $7 FROM unnest($1::text[], $2::numeric[], $3::timestamptz[], $4::text[], $5::numeric[], $6::timestamptz[])
               AS g (token, usd, priced_at, source, agreed_usd, agreed_at) ORDER BY token
             ON CONFLICT (token) DO UPDATE
             SET usd = excluded.usd, priced_at = excluded.priced_at, asked_at = excluded.asked_at, source = excluded.source,
               agreed_usd = excluded.agreed_usd, agreed_at = excluded.agreed_at
             WHERE p.asked_at <= excluded.asked_at OR p.asked_at > $8`,
      values: [
        found.map(([token]) => token),
        found.map(([, { usd }]) => usd),
        found.map(([, { atMs }]) => new Date(atMs)),
        found.map(([, { source }]) => source),
        found.map(([, { agreed }]) => agreed.usd),
        found.map(([, { agreed }]) => new Date(agreed.atMs)),
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
      // Jitter between half and all of the pause, so that replicas of several apps do not read at the same time.
      values: [outcome, new Date(nowMs), firstPauseMs, longestPauseMs, (1 + this.random()) / 2],
    });
  }

  async load(): Promise<ReadonlyMap<string, KeptPrice>> {
    const { rows } = await this.pool.query<LoadedRow>({
      name: 'prices-load',
      text: 'SELECT token, usd::text, priced_at, source, agreed_usd::text, agreed_at FROM token_prices',
    });
    return new Map(rows.map((row) => [row.token, priceOf(row)]));
  }
}

interface LoadedRow {
  token: string;
  usd: string;
  priced_at: Date;
  source: string | null;
  /** Null in a row that an earlier version has written. */
  agreed_usd: string | null;
  agreed_at: Date | null;
}

function priceOf({ usd, priced_at, source, agreed_usd, agreed_at }: LoadedRow): KeptPrice {
  const price = { usd, atMs: priced_at.getTime() };
  const isAgreed = agreed_usd === null || agreed_at === null;
  return { ...price, source, agreed: isAgreed ? price : { usd: agreed_usd, atMs: agreed_at.getTime() } };
}
