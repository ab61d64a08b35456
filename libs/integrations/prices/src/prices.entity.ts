import { keep, Retention } from '@tollbridge/database';
import { Check, Column, Entity, PrimaryColumn } from 'typeorm';

/** A row of `token_prices`: the last price of a token. */
@Entity('token_prices')
@Retention(keep('one row for each token'))
@Check('token_prices_usd_check', 'usd > 0')
export class TokenPriceRow {
  /** Chain and address in the form of `tokenKey`. */
  @PrimaryColumn('text')
  token: string;
  @Column('numeric')
  usd: string;
  @Column('timestamptz')
  priced_at: Date;
  /** Time of the request to the price sources. */
  @Column('timestamptz')
  asked_at: Date;
  @Column('text', { nullable: true })
  source: string | null;
  /** The last price that moved at most the bound, or that a second source confirmed. */
  @Column('numeric', { nullable: true })
  agreed_usd: string | null;
  @Column('timestamptz', { nullable: true })
  agreed_at: Date | null;
}

/** The single row of `price_reading`. It determines which replica reads prices next, and when. */
@Entity('price_reading')
@Retention(keep('one row'))
@Check('price_reading_singleton_check', 'singleton')
export class PriceReadingRow {
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

/** Entities of `pricesTables`, for the `entities` of each app that stores prices. */
export const priceEntities = [TokenPriceRow, PriceReadingRow];
