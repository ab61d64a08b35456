import { Retention, swept } from '@tollbridge/database';
import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import { QuoteRow } from '../../quotes/quotes.entity';

/** A row of `quote_sets`: the set of a quote and its signer. Concurrent builds of one quote lock this row. */
@Entity('quote_sets')
@Retention(swept({ by: 'QuoteSweep', rule: 'with its quote' }))
export class QuoteSetRow {
  @ForeignKey(() => QuoteRow, { name: 'quote_sets_quote_id_fkey', onDelete: 'CASCADE' })
  @PrimaryColumn('uuid')
  quote_id: string;
  @PrimaryColumn('text')
  user_address: string;
  @Column('uuid')
  set_id: string;
}
