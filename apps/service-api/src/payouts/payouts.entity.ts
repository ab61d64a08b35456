import { keep, Retention } from '@tollbridge/database';
import type { PayoutState } from '@tollbridge/contracts';
import { Check, Column, Entity, Index, PrimaryColumn } from 'typeorm';
import type { PricedPayout } from './payout';

/** The columns after `created_at` are null for a preview that is not sent on chain. */
@Entity('payouts')
@Retention(keep('money record'))
// Indexes with descending columns, which TypeORM cannot describe, are left to the migrations.
@Index('payouts_wallet', { synchronize: false })
@Index('payouts_wallet_state', { synchronize: false })
@Index('payouts_waiting', ['approve_until'], { where: "state = 'awaiting_approval'" })
@Check('payouts_wallet_check', "wallet <> ''")
@Check('payouts_decimals_check', 'decimals BETWEEN 0 AND 36')
@Check('payouts_total_atomic_check', 'total_atomic > 0')
@Check('payouts_fee_atomic_check', 'fee_atomic > 0')
@Check('payouts_gas_source_check', "gas_source IN ('simulated', 'assumed')")
@Check('payouts_status_check', "status = 'pending'")
@Check(
  'payouts_state_check',
  "state IN ('awaiting_approval', 'sending', 'completed', 'partly_paid', 'failed', 'rejected', 'expired')",
)
@Check('payouts_check', 'approved_by IS DISTINCT FROM key_id OR approved_by IS NULL')
@Check(
  'payouts_on_chain',
  `(state IS NULL) = (contract IS NULL) AND (state IS NULL) = (token_address IS NULL)
    AND (state IS NULL) = (deadline IS NULL) AND (state IS NULL) = (approve_until IS NULL)
    AND (state IS NULL) = (updated_at IS NULL)`,
)
@Check('payouts_times', 'updated_at >= created_at')
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
