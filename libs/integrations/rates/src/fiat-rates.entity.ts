import { keep, Retention } from '@tollbridge/database';
import { Check, Column, Entity, PrimaryColumn } from 'typeorm';

/** A row of `fiat_rate_readings`: the last reading of a currency at a source. */
@Entity('fiat_rate_readings')
@Retention(keep('one row for each source and currency'))
@Check('fiat_rate_readings_per_usd_check', 'per_usd > 0')
export class FiatRateReadingRow {
  @PrimaryColumn('text')
  source: string;
  /** Code of ISO 4217. */
  @PrimaryColumn('text')
  currency: string;
  @Column('numeric')
  per_usd: string;
  @Column('timestamptz')
  published_at: Date;
  /** Time of the request to the sources. */
  @Column('timestamptz')
  asked_at: Date;
}

/** A row of `agreed_fiat_rates`: the last value of a currency that was trusted. A larger move needs two sources. */
@Entity('agreed_fiat_rates')
@Retention(keep('one row for each currency'))
@Check('agreed_fiat_rates_per_usd_check', 'per_usd > 0')
export class AgreedFiatRateRow {
  /** Code of ISO 4217. */
  @PrimaryColumn('text')
  currency: string;
  @Column('numeric')
  per_usd: string;
  /** Time of the request to the sources. */
  @Column('timestamptz')
  agreed_at: Date;
}

/** The single row of `fiat_rate_lease`. It determines which replica reads the sources next, and when. */
@Entity('fiat_rate_lease')
@Retention(keep('one row'))
@Check('fiat_rate_lease_singleton_check', 'singleton')
export class FiatRateLeaseRow {
  @PrimaryColumn('boolean', { default: true })
  singleton: boolean;
  /** Time of the last read of all sources without a failure. */
  @Column('timestamptz', { default: () => "'-infinity'" })
  read_at: Date;
  /**
   * No replica reads before this time. It is the end of the reading replica's lease, or of the pause after a failure.
   */
  @Column('timestamptz', { default: () => "'-infinity'" })
  next_at: Date;
  @Column('integer', { default: 0 })
  failures: number;
}

/** Entities of `fiatRatesTables`, for the `entities` of each app that stores rates. */
export const fiatRateEntities = [FiatRateReadingRow, AgreedFiatRateRow, FiatRateLeaseRow];
