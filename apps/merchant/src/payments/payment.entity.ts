import { keep, PersonalData, Retention } from '@tollbridge/database';
import type { Conversion, ExecutionStrategy, OrderStatus, PaymentStatus } from '@tollbridge/contracts';
import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn, Unique } from 'typeorm';
import { PaymentRequestEntity } from './requests/payment-request.entity';
import type { OrderToPay } from './attempts/placed-order';

/** An execution of a payment request. */
@Entity('payments')
@PersonalData({ columns: ['description', 'order_reply', 'refusal', 'failure_reason'] })
@Retention(keep('money record'))
// TypeORM cannot describe indexes with descending columns, so the migrations create them.
@Index('payments_request', { synchronize: false })
@Index('payments_unplaced', ['leaseUntil'], { where: 'order_id IS NULL' })
@Index('payments_wallet', { synchronize: false })
@Index('payments_wallet_status', { synchronize: false })
@Check('payments_counted', "(status = 'completed') = (counted_on IS NOT NULL)")
@Check(
  'payments_order',
  '((order_id IS NULL) = (order_reply IS NULL)) AND ((order_id IS NULL) = (order_expires_at IS NULL)) AND ((order_id IS NULL) OR (lease_until IS NULL))',
)
@Check(
  'payments_order_status_check',
  "order_status = ANY (ARRAY['waiting_payment', 'settling', 'settled', 'failed', 'expired'])",
)
@Check('payments_settled_value_check', 'settled_value >= (0)::numeric')
@Check('payments_status_check', "status = ANY (ARRAY['executing', 'completed', 'failed', 'expired'])")
@Check('payments_strategy_check', "strategy = ANY (ARRAY['direct', 'swap', 'bridge', 'swap_and_bridge'])")
@Unique('payments_order_id_key', ['orderId'])
@Check('payments_times', 'updated_at >= created_at')
export class PaymentEntity {
  @PrimaryColumn({ type: 'uuid' })
  readonly id: string;

  @ForeignKey(() => PaymentRequestEntity, { name: 'payments_request_id_fkey' })
  @Column({ type: 'uuid', name: 'request_id' })
  readonly requestId: string;

  @Column({ type: 'text' })
  readonly wallet: string;

  @Column({ type: 'numeric', precision: 78, scale: 0 })
  readonly amount: string;

  @Column({ type: 'text' })
  readonly currency: string;

  @Column({ type: 'text' })
  readonly chain: string;

  @Column({ type: 'text' })
  readonly description: string;

  @Column({ type: 'text', name: 'from_chain' })
  readonly fromChain: string;

  @Column({ type: 'text', name: 'from_token' })
  readonly fromToken: string;

  @Column({ type: 'text' })
  readonly strategy: ExecutionStrategy;

  @Column({ type: 'text', name: 'payer_address' })
  readonly payerAddress: string;

  @Column({ type: 'uuid' })
  readonly claim: string;

  @Column({ type: 'timestamptz', name: 'lease_until', nullable: true })
  readonly leaseUntil: Date | null;

  @Column({ type: 'json', nullable: true })
  readonly refusal: unknown;

  @Column({ type: 'uuid', name: 'order_id', nullable: true })
  readonly orderId: string | null;

  @Column({ type: 'json', name: 'order_reply', nullable: true })
  readonly orderReply: OrderToPay | null;

  @Column({ type: 'timestamptz', name: 'order_expires_at', nullable: true })
  readonly orderExpiresAt: Date | null;

  @Column({ type: 'integer', name: 'estimated_seconds', nullable: true })
  readonly estimatedSeconds: number | null;

  @Column({ type: 'text', name: 'order_status' })
  readonly orderStatus: OrderStatus;

  @Column({ type: 'text' })
  readonly status: PaymentStatus;

  @Column({ type: 'text', name: 'pay_tx', nullable: true })
  readonly payTx: string | null;

  @Column({ type: 'text', name: 'settle_tx', nullable: true })
  readonly settleTx: string | null;

  @Column({ type: 'numeric', name: 'settled_amount', precision: 78, scale: 0, nullable: true })
  readonly settledAmount: string | null;

  @Column({ type: 'numeric', name: 'settled_value', nullable: true })
  readonly settledValue: string | null;

  @Column({ type: 'text', name: 'failure_reason', nullable: true })
  readonly failureReason: string | null;

  @Column({ type: 'date', name: 'counted_on', nullable: true })
  readonly countedOn: string | null;

  @Column({ type: 'timestamptz', name: 'created_at' })
  readonly createdAt: Date;

  @Column({ type: 'timestamptz', name: 'updated_at' })
  readonly updatedAt: Date;

  @Column({ type: 'boolean', name: 'is_seen', default: false })
  readonly isSeen: boolean;

  /** The price in a currency, and the rate of the amount; null for an amount of the token. */
  @Column({ type: 'json', nullable: true })
  readonly conversion: Conversion | null;
}
