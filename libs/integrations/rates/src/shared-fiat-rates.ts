import type { Pool } from 'pg';
import type { FiatRate, FiatReading } from './fiat-rate';

/**
 * Tables of the last readings of each source, of the agreed values, and of the replica that reads next. Use it in a
 * migration of each app with rates.
 */
export const fiatRatesTables = `
  CREATE TABLE fiat_rate_readings (
    source text NOT NULL,
    currency text NOT NULL,
    -- Units of the currency for one US dollar.
    per_usd numeric NOT NULL CHECK (per_usd > 0),
    published_at timestamptz NOT NULL,
    -- When the sources were asked.
    asked_at timestamptz NOT NULL,
    PRIMARY KEY (source, currency)
  );
  -- The last value of each currency that was trusted. A larger move needs two sources, also after a restart.
  CREATE TABLE agreed_fiat_rates (
    currency text PRIMARY KEY,
    per_usd numeric NOT NULL CHECK (per_usd > 0),
    agreed_at timestamptz NOT NULL
  );
  CREATE TABLE fiat_rate_lease (
    singleton boolean PRIMARY KEY DEFAULT true CHECK (singleton),
    -- When all sources were last asked, and none failed.
    read_at timestamptz NOT NULL DEFAULT '-infinity',
    -- No other process asks until then: the reader's lease, or the pause after a failure.
    next_at timestamptz NOT NULL DEFAULT '-infinity',
    failures integer NOT NULL DEFAULT 0
  );
  INSERT INTO fiat_rate_lease DEFAULT VALUES;
`;
export const dropFiatRatesTables = 'DROP TABLE fiat_rate_lease, agreed_fiat_rates, fiat_rate_readings;';

/** The last readings and agreed values, by currency. */
export interface KnownRates {
  /** The last reading of each source, in any order. */
  readings: ReadonlyMap<string, readonly FiatRate[]>;
  /** Units of the currency for one US dollar. */
  agreed: ReadonlyMap<string, string>;
}

/** The result of reading the sources once. */
export interface RateReading {
  /** Time of the request to the sources. */
  askedAtMs: number;
  readings: readonly (FiatReading & { source: string })[];
  /** The values that are agreed now, by currency. */
  agreed: ReadonlyMap<string, string>;
  /** `complete` if every source has answered. `stopped` if the app ended without a failure of a source. */
  outcome: 'complete' | 'failed' | 'stopped';
}

/** Rates that the replicas of an app share. Times are on the app's clock, which follows the database's clock. */
export interface SharedFiatRates {
  /**
   * Acquires the lease to read the sources. Returns true for one replica at a time, and only if no replica has read
   * since `sinceMs`.
   */
  claim(sinceMs: number, nowMs: number): Promise<boolean>;
  /** Stores a reading and releases the lease, in one commit. */
  finish(reading: RateReading, nowMs: number): Promise<void>;
  /** Returns the last readings and agreed values, whatever their age. */
  load(): Promise<KnownRates>;
}

// Longer than the time for all sources. After a crash, another replica reads when the lease has expired.
export const rateLeaseMs = 30_000;
const firstPauseMs = 5_000;
// A provider with a quota counts requests that it rejects, so the pause is long.
const longestPauseMs = 10 * 60_000;

/** `SharedFiatRates` in the tables of `fiatRatesTables`. */
export class PostgresFiatRates implements SharedFiatRates {
  constructor(
    private readonly pool: Pick<Pool, 'query'>,
    private readonly random: () => number = Math.random,
  ) {}

  async claim(sinceMs: number, nowMs: number): Promise<boolean> {
    const { rowCount } = await this.pool.query({
      name: 'fiat-rates-claim',
      // A time too far ahead comes from a clock that was later set back, and is ignored.
      text: `UPDATE fiat_rate_lease SET next_at = $3
             WHERE (next_at <= $2 OR next_at > $4) AND (read_at <= $1 OR read_at > $2)`,
      values: [sinceMs, nowMs, nowMs + rateLeaseMs, nowMs + longestPauseMs].map((ms) => new Date(ms)),
    });
    return rowCount === 1;
  }

  async finish({ askedAtMs, readings, agreed, outcome }: RateReading, nowMs: number): Promise<void> {
    const values = [...agreed];
    await this.pool.query({
      name: 'fiat-rates-finish',
      text: finishSql,
      values: [
        new Date(nowMs),
        new Date(askedAtMs),
        readings.map(({ source }) => source),
        readings.map(({ currency }) => currency),
        readings.map(({ perUsd }) => perUsd),
        readings.map(({ atMs }) => new Date(atMs)),
        values.map(([currency]) => currency),
        values.map(([, perUsd]) => perUsd),
        outcome,
        firstPauseMs,
        longestPauseMs,
        // Jitter between half and all of the pause, so that replicas of several apps do not read at the same time.
        (1 + this.random()) / 2,
      ],
    });
  }

  async load(): Promise<KnownRates> {
    const { rows } = await this.pool.query<StoredRow>({
      name: 'fiat-rates-load',
      text: `SELECT r.currency, r.source, r.per_usd::text, r.published_at, a.per_usd::text AS agreed
             FROM fiat_rate_readings r LEFT JOIN agreed_fiat_rates a USING (currency)`,
    });
    const readings = new Map<string, FiatRate[]>();
    for (const { currency, source, per_usd: perUsd, published_at: at } of rows)
      readings.set(currency, [...(readings.get(currency) ?? []), { perUsd, source, atMs: at.getTime() }]);
    const agreed = new Map(
      rows.flatMap(({ currency, agreed }) => (agreed === null ? [] : [[currency, agreed]])),
    );
    return { readings, agreed };
  }
}

interface StoredRow {
  currency: string;
  source: string;
  per_usd: string;
  published_at: Date;
  agreed: string | null;
}

// One statement, so that readings never appear without the values that are agreed with them. A replica that exceeded
// its lease must not overwrite a later read.
const finishSql = `
  WITH saved AS (
    INSERT INTO fiat_rate_readings AS r (source, currency, per_usd, published_at, asked_at)
    SELECT g.*, $2
    FROM unnest($3::text[], $4::text[], $5::numeric[], $6::timestamptz[]) AS g (source, currency, per_usd, published_at)
    ORDER BY source, currency
    ON CONFLICT (source, currency) DO UPDATE
    SET per_usd = excluded.per_usd, published_at = excluded.published_at, asked_at = excluded.asked_at
    WHERE r.asked_at <= excluded.asked_at OR r.asked_at > $1
  ), agreed AS (
    INSERT INTO agreed_fiat_rates AS a (currency, per_usd, agreed_at)
    SELECT g.*, $2 FROM unnest($7::text[], $8::numeric[]) AS g (currency, per_usd)
    ORDER BY currency
    ON CONFLICT (currency) DO UPDATE SET per_usd = excluded.per_usd, agreed_at = excluded.agreed_at
    WHERE a.agreed_at <= excluded.agreed_at OR a.agreed_at > $1
  )
  UPDATE fiat_rate_lease SET
    failures = CASE $9 WHEN 'complete' THEN 0 WHEN 'failed' THEN failures + 1 ELSE failures END,
    read_at = CASE $9 WHEN 'complete' THEN $1::timestamptz ELSE read_at END,
    next_at = $1::timestamptz + CASE $9 WHEN 'failed' THEN
      least($10 * 2 ^ least(failures, 10), $11) * $12 * interval '1 millisecond' ELSE interval '0' END`;
