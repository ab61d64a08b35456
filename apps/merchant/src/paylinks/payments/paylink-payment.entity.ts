import { keep, PersonalData, Retention } from '@tollbridge/database';
import type { PayLinkPaymentStatus } from '@tollbridge/contracts';
import { Check, Column, Entity, ForeignKey, Generated, Index, PrimaryColumn, Unique } from 'typeorm';
import { PayLinkEntity } from '../paylink.entity';

/** A transaction that was reported for a link. */
@Entity('paylink_payments')
@PersonalData({ columns: ['reason'] })
@Retention(keep('money record; rejected submissions are deleted after 30 days'))
// TypeORM cannot describe indexes with descending or INCLUDE columns, so the migrations create them.
@Index('paylink_payments_due', ['chain', 'nextLookAt'], { where: 'next_look_at IS NOT NULL' })
@Index('paylink_payments_link', { synchronize: false })
@Index('paylink_payments_partial', ['paylinkId'], { where: "status = 'partial'" })
@Index('paylink_payments_rejected_at', ['decidedAt'], { where: "status = 'rejected'" })
@Index('paylink_payments_settled', ['paylinkId', 'settleTx'], { where: 'settle_tx IS NOT NULL' })
@Index('paylink_payments_transaction', ['chain', 'txHash'])
@Index('paylink_payments_transfer', ['chain', 'txHash', 'logIndex'], {
  unique: true,
  where: "(log_index IS NOT NULL) AND (is_verified OR (status = 'pending'))",
})
@Index('paylink_payments_unseen', ['paylinkId'], { where: "(status = 'pending') AND (log_index IS NULL)" })
@Index('paylink_payments_unvalued', ['decidedAt'], { where: "(status = 'counted') AND (value_usd IS NULL)" })
@Index('paylink_payments_unverifiable', ['paylinkId'], { where: "status = 'unverifiable'" })
@Check('paylink_payments_amount_check', 'amount > (0)::numeric')
@Check('paylink_payments_balance_at_report_check', 'balance_at_report >= (0)::numeric')
@Check('paylink_payments_confirmed', "(NOT is_confirmed) OR ((status = 'counted') AND (NOT is_verified))")
@Check('paylink_payments_decided', "(decided_at IS NULL) = (status = ANY (ARRAY['pending', 'unverifiable']))")
@Check('paylink_payments_order', '(order_id IS NULL) = (settle_tx IS NULL)')
@Unique('paylink_payments_paylink_id_tx_hash_key', ['paylinkId', 'txHash'])
@Check('paylink_payments_parts_amount_check', 'parts_amount > (0)::numeric')
@Check(
  'paylink_payments_place',
  '(num_nulls(log_index, amount) = ANY (ARRAY[0, 2])) AND (num_nulls(height, block_hash, paid_at) = ANY (ARRAY[0, 3]))',
)
@Check(
  'paylink_payments_real',
  " CASE WHEN (status = 'unverifiable') THEN (log_index IS NULL) ELSE ((status = ANY (ARRAY['pending', 'rejected'])) OR (log_index IS NOT NULL)) END",
)
@Check('paylink_payments_rejected', "(status <> 'rejected') OR (log_index IS NULL)")
@Check(
  'paylink_payments_status_check',
  "status = ANY (ARRAY['pending', 'unverifiable', 'counted', 'partial', 'excess', 'late', 'inactive', 'rejected'])",
)
@Unique('paylink_payments_seq_key', ['seq'])
export class PayLinkPaymentEntity {
  @PrimaryColumn({ type: 'uuid' })
  readonly id: string;

  @Generated('increment')
  @Column({ type: 'bigint', generatedIdentity: 'ALWAYS' })
  readonly seq: string;

  @ForeignKey(() => PayLinkEntity, { name: 'paylink_payments_paylink_id_fkey' })
  @Column({ type: 'uuid', name: 'paylink_id' })
  readonly paylinkId: string;

  @Column({ type: 'text' })
  readonly chain: string;

  @Column({ type: 'text', name: 'tx_hash' })
  readonly txHash: string;

  @Column({ type: 'text' })
  readonly status: PayLinkPaymentStatus;

  @Column({ type: 'boolean', name: 'is_verified', default: false })
  readonly isVerified: boolean;

  @Column({ type: 'text', nullable: true })
  readonly reason: string | null;

  @Column({ type: 'integer', name: 'log_index', nullable: true })
  readonly logIndex: number | null;

  @Column({ type: 'numeric', precision: 78, scale: 0, nullable: true })
  readonly amount: string | null;

  @Column({ type: 'text', nullable: true })
  readonly payer: string | null;

  @Column({ type: 'bigint', nullable: true })
  readonly height: string | null;

  @Column({ type: 'text', name: 'block_hash', nullable: true })
  readonly blockHash: string | null;

  @Column({ type: 'timestamptz', name: 'paid_at', nullable: true })
  readonly paidAt: Date | null;

  @Column({ type: 'numeric', name: 'value_usd', nullable: true })
  readonly valueUsd: string | null;

  @Column({ type: 'boolean', name: 'is_told', default: false })
  readonly isNotified: boolean;

  @Column({ type: 'timestamptz', name: 'pending_since' })
  readonly pendingSince: Date;

  @Column({ type: 'timestamptz', name: 'next_look_at', nullable: true })
  readonly nextLookAt: Date | null;

  @Column({ type: 'integer', default: 1 })
  readonly version: number;

  @Column({ type: 'timestamptz', name: 'recorded_at' })
  readonly recordedAt: Date;

  @Column({ type: 'timestamptz', name: 'decided_at', nullable: true })
  readonly decidedAt: Date | null;

  @Column({ type: 'boolean', name: 'is_confirmed', default: false })
  readonly isConfirmed: boolean;

  @Column({ type: 'numeric', name: 'balance_at_report', precision: 78, scale: 0, nullable: true })
  readonly balanceAtReport: string | null;

  /** The sum of the partial payments that complete this payment; null without any. */
  @Column({ type: 'numeric', name: 'parts_amount', precision: 78, scale: 0, nullable: true })
  readonly partsAmount: string | null;

  /** The id of the payment that this partial payment completes. */
  @Column({ type: 'uuid', name: 'part_of', nullable: true })
  readonly partOf: string | null;

  /**
   * The order of a payment by checkout. Then `tx_hash` contains a key of the order, and `settle_tx` the transaction.
   */
  @Column({ type: 'uuid', name: 'order_id', nullable: true })
  readonly orderId: string | null;

  @Column({ type: 'text', name: 'settle_tx', nullable: true })
  readonly settleTx: string | null;
}
