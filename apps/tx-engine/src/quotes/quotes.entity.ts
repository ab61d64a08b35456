import { Retention, swept } from '@tollbridge/database';
import type { RouteToken } from '@tollbridge/routing';
import { Check, Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** A row of `quotes`. Numeric columns are read as strings. */
@Entity('quotes')
@Retention(swept({ by: 'QuoteSweep', rule: 'when the quote has expired' }))
@Index('quotes_old', ['expires_at'])
@Check('quotes_amount_in_check', 'amount_in > 0')
@Check('quotes_amount_out_check', 'amount_out > 0')
@Check('quotes_check', 'min_amount_out > 0 AND min_amount_out <= amount_out')
export class QuoteRow {
  @PrimaryColumn('uuid')
  id: string;
  /** The caller that requested the quote; only it can build the quote. */
  @Column('text')
  owner: string;
  @Column('text')
  provider: string;
  @Column('json')
  from_token: RouteToken;
  @Column('json')
  to_token: RouteToken;
  @Column('numeric', { precision: 78, scale: 0 })
  amount_in: string;
  @Column('numeric', { precision: 78, scale: 0 })
  amount_out: string;
  @Column('numeric', { precision: 78, scale: 0 })
  min_amount_out: string;
  @Column('integer')
  slippage_bps: number;
  @Column('timestamptz')
  expires_at: Date;
}
