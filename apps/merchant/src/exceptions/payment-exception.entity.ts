import { keep, PersonalData, Retention } from '@tollbridge/database';
import type { ExceptionKind, ExceptionResolution, ExceptionStatus } from '@tollbridge/contracts';
import { Check, Column, Entity, Index, PrimaryColumn, Unique } from 'typeorm';

/** A payment that differs from the request, for example in amount or time. */
@Entity('payment_exceptions')
@PersonalData({ columns: ['reason'] })
@Retention(keep('money record'))
// TypeORM cannot describe indexes with descending columns, so the migrations create them.
@Index('payment_exceptions_open', { synchronize: false })
@Index('payment_exceptions_order', ['orderId'], { where: "status = 'open'" })
@Index('payment_exceptions_wallet', { synchronize: false })
@Check('payment_exceptions_amount_check', 'amount > (0)::numeric')
@Check('payment_exceptions_kind_check', "kind <> ''")
@Check('payment_exceptions_reference_check', "reference <> ''")
@Check(
  'payment_exceptions_resolution_check',
  "resolution = ANY (ARRAY['completed', 'reverted', 'returned', 'merchant'])",
)
@Check('payment_exceptions_resolved', "(status = 'resolved') = (resolution IS NOT NULL)")
@Check('payment_exceptions_status_check', "status = ANY (ARRAY['open', 'resolved'])")
@Check('payment_exceptions_times', 'updated_at >= created_at')
@Unique('payment_exceptions_wallet_reference_key', ['wallet', 'reference'])
export class PaymentExceptionEntity {
  @PrimaryColumn({ type: 'uuid' })
  readonly id: string;

  @Column({ type: 'text' })
  readonly wallet: string;

  @Column({ type: 'text' })
  readonly reference: string;

  @Column({ type: 'text' })
  readonly kind: ExceptionKind;

  @Column({ type: 'text' })
  readonly status: ExceptionStatus;

  @Column({ type: 'text', nullable: true })
  readonly resolution: ExceptionResolution | null;

  @Column({ type: 'uuid', name: 'paylink_id', nullable: true })
  readonly paylinkId: string | null;

  @Column({ type: 'uuid', name: 'order_id', nullable: true })
  readonly orderId: string | null;

  @Column({ type: 'text' })
  readonly chain: string;

  @Column({ type: 'text' })
  readonly token: string;

  @Column({ type: 'numeric', precision: 78, scale: 0 })
  readonly amount: string;

  @Column({ type: 'text', name: 'tx_hash', nullable: true })
  readonly txHash: string | null;

  @Column({ type: 'text', nullable: true })
  readonly payer: string | null;

  @Column({ type: 'text' })
  readonly reason: string;

  @Column({ type: 'timestamptz', name: 'created_at' })
  readonly createdAt: Date;

  @Column({ type: 'timestamptz', name: 'updated_at' })
  readonly updatedAt: Date;
}
