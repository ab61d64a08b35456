import { keep, Retention } from '@tollbridge/database';
import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Prices that every simulator quotes from. */
@Entity('prices')
@Retention(keep('sandbox data: `npm start -- --fresh` deletes it'))
export class PriceEntity {
  @PrimaryColumn('text')
  symbol: string;
  @Column('text')
  usd: string;
  /** Null while the price is current. */
  @Column('timestamptz', { name: 'frozen_at', nullable: true })
  frozenAt: Date | null;
}
