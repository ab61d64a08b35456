import type { PayoutState } from '@tollbridge/contracts';
import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import type { PricedPayout } from './payout';

/** The columns after `created_at` are null for a preview that is not sent on chain. */
@Entity('payouts')
@Index('payouts_waiting', ['approve_until'], { where: "state = 'awaiting_approval'" })
export class PayoutRow {
  @PrimaryColumn('uuid')
  id: string;
  @Column('text')
  wallet: string;
  @Column('uuid', { nullable: true })
  key_id: string | null;
  @Column('text')
  chain: string;
  @Column('text')
  token: string;
  @Column('smallint')
  decimals: number;
  @Column('numeric', { precision: 78, scale: 0 })
  total_atomic: string;
  @Column('numeric', { precision: 78, scale: 0 })
  fee_atomic: string;
  @Column('numeric', { precision: 78, scale: 0 })
  estimated_gas: string;
  @Column('text')
  gas_source: PricedPayout['gasSource'];
  @Column('json')
  warnings: PricedPayout['warnings'];
  @Column('integer')
  warning_count: number;
  @Column('text')
  status: 'pending';
  @Column('timestamptz')
  created_at: Date;
  @Column('text', { nullable: true })
  state: PayoutState | null;
  @Column('text', { nullable: true })
  token_address: string | null;
  @Column('text', { nullable: true })
  contract: string | null;
  @Column('numeric', { nullable: true })
  value_usd: string | null;
  /** Unix seconds. */
  @Column('bigint', { nullable: true })
  deadline: string | null;
  @Column('timestamptz', { nullable: true })
  approve_until: Date | null;
  @Column('uuid', { nullable: true })
  approved_by: string | null;
  @Column('bigint', { nullable: true })
  from_height: string | null;
  @Column('integer', { default: 1 })
  version: number;
  @Column('timestamptz', { nullable: true })
  updated_at: Date | null;
}
