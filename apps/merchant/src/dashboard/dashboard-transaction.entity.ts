import { keep, PersonalData, Retention } from '@tollbridge/database';
import type { Conversion, RecordState, RecordType } from '@tollbridge/contracts';
import { Check, Column, Entity, Index, PrimaryColumn } from 'typeorm';
import type { Outcome } from './dashboard-record';

/** A payment or refund of the dashboard's projection. */
@Entity('dashboard_transactions')
@PersonalData({ columns: ['description'] })
@Retention(keep('history that the dashboard shows; the only copy of what pruned events said'))
// TypeORM cannot describe indexes with descending columns or expressions, so the migrations create them.
@Index('dashboard_transactions_hash', { synchronize: false })
@Index('dashboard_transactions_network', { synchronize: false })
@Index('dashboard_transactions_others', { synchronize: false })
@Index('dashboard_transactions_order', { synchronize: false })
@Index('dashboard_transactions_page', { synchronize: false })
@Index('dashboard_transactions_payer', { synchronize: false })
@Index('dashboard_transactions_status', { synchronize: false })
@Index('dashboard_transactions_text', { synchronize: false })
@Index('dashboard_transactions_token', { synchronize: false })
@Check(
  'dashboard_transactions_outcome_check',
  "outcome = ANY (ARRAY['pending', 'completed', 'failed', 'expired'])",
)
@Check(
  'dashboard_transactions_plausible',
  '(amount >= (0)::numeric) AND (fee_amount >= (0)::numeric) AND (value_usd >= (0)::numeric)',
)
@Check('dashboard_transactions_tx_type_check', "tx_type = ANY (ARRAY['payment', 'refund'])")
@Check('dashboard_transactions_times', 'updated_at >= created_at')
export class DashboardTransactionEntity {
  @PrimaryColumn({ type: 'integer' })
  readonly generation: number;

  @PrimaryColumn({ type: 'uuid' })
  readonly id: string;

  @Column({ type: 'text' })
  readonly wallet: string;

  @Column({ type: 'text', name: 'tx_type' })
  readonly txType: RecordType;

  @Column({ type: 'uuid', name: 'order_id', nullable: true })
  readonly orderId: string | null;

  @Column({ type: 'integer' })
  readonly version: number;

  @Column({ type: 'text' })
  readonly outcome: Outcome;

  @Column({ type: 'boolean', name: 'is_own' })
  readonly isOwn: boolean;

  @Column({ type: 'boolean', name: 'is_seen' })
  readonly isSeen: boolean;

  @Column({ type: 'boolean', name: 'was_completed' })
  readonly wasCompleted: boolean;

  @Column({
    type: 'text',
    generatedType: 'STORED',
    asExpression:
      "CASE WHEN (was_completed AND (outcome <> 'completed'::text)) THEN 'reversed'::text ELSE outcome END",
  })
  readonly status: RecordState;

  @Column({ type: 'boolean', name: 'is_shown', generatedType: 'STORED', asExpression: '(is_own OR is_seen)' })
  readonly isShown: boolean;

  @Column({ type: 'numeric', precision: 78, scale: 0 })
  readonly amount: string;

  @Column({ type: 'numeric', name: 'fee_amount', precision: 78, scale: 0 })
  readonly feeAmount: string;

  @Column({ type: 'text' })
  readonly token: string;

  @Column({ type: 'text' })
  readonly network: string;

  @Column({ type: 'numeric', name: 'value_usd', nullable: true })
  readonly valueUsd: string | null;

  @Column({ type: 'text', name: 'tx_hash' })
  readonly txHash: string;

  @Column({ type: 'text', nullable: true })
  readonly counterparty: string | null;

  @Column({ type: 'text' })
  readonly description: string;

  @Column({ type: 'boolean' })
  readonly late: boolean;

  @Column({ type: 'timestamptz', name: 'created_at' })
  readonly createdAt: Date;

  @Column({ type: 'timestamptz', name: 'updated_at' })
  readonly updatedAt: Date;

  @Column({ type: 'boolean', name: 'is_confirmed', default: false })
  readonly isConfirmed: boolean;

  /** The price of an order with one. */
  @Column({ type: 'jsonb', nullable: true })
  readonly conversion: Conversion | null;
}
