import { keep, Retention } from '@tollbridge/database';
import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A row of `min_amounts`: the smallest amount that the route provider accepts for a pay token. */
@Entity('min_amounts')
@Retention(keep('a row for each token'))
export class MinAmountRow {
  @PrimaryColumn('text')
  blockchain: string;
  @PrimaryColumn('text')
  token: string;
  @Column('text')
  settle_chain: string;
  @Column('text')
  settle_token: string;
  @Column('numeric', { precision: 78, scale: 0 })
  min_settle_amount: string;
  @Column('numeric')
  min_usd: string;
  @Column('timestamptz')
  updated_at: Date;
}
