import type { Conversion } from '@tollbridge/contracts';
import { keep, PersonalData, Retention } from '@tollbridge/database';
import { Check, Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** A payment request of a merchant, or of a checkout of a PayLink. */
@Entity('payment_requests')
@PersonalData({ columns: ['description', 'metadata'] })
@Retention(keep('payments refer to it, and a link may be paid late'))
// TypeORM cannot describe indexes with descending columns, so the migrations create them.
@Index('payment_requests_of_paylink', ['paylinkId'], { where: 'paylink_id IS NOT NULL' })
@Index('payment_requests_own', { synchronize: false })
@Index('payment_requests_paylink', ['createdAt'], { where: 'paylink_id IS NOT NULL' })
@Index('payment_requests_stage', { synchronize: false })
@Index('payment_requests_text', { synchronize: false })
@Index('payment_requests_wallet', { synchronize: false })
@Check('payment_requests_amount_check', 'amount > (0)::numeric')
@Check('payment_requests_cancel_url_check', "cancel_url ~ '^https?://'")
@Check('payment_requests_completed_payments_check', 'completed_payments >= 0')
@Check('payment_requests_seen_payments_check', 'seen_payments >= 0')
@Check('payment_requests_times', 'updated_at >= created_at')
export class PaymentRequestEntity {
  @PrimaryColumn({ type: 'uuid' })
  readonly id: string;

  /** The PayLink of a checkout; null for a request of a merchant. */
  @Column({ type: 'uuid', name: 'paylink_id', nullable: true })
  readonly paylinkId: string | null;

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

  @Column({ type: 'json', nullable: true })
  readonly metadata: Record<string, unknown> | null;

  @Column({ type: 'text', name: 'receive_address', nullable: true })
  readonly receiveAddress: string | null;

  @Column({ type: 'text', name: 'success_url', nullable: true })
  readonly successUrl: string | null;

  @Column({ type: 'text', name: 'cancel_url', nullable: true })
  readonly cancelUrl: string | null;

  @Column({ type: 'timestamptz', name: 'expires_at', nullable: true })
  readonly expiresAt: Date | null;

  @Column({ type: 'timestamptz', name: 'canceled_at', nullable: true })
  readonly canceledAt: Date | null;

  @Column({ type: 'integer', name: 'seen_payments', default: 0 })
  readonly seenPayments: number;

  @Column({ type: 'integer', name: 'completed_payments', default: 0 })
  readonly completedPayments: number;

  @Column({ type: 'timestamptz', name: 'created_at' })
  readonly createdAt: Date;

  @Column({ type: 'timestamptz', name: 'updated_at' })
  readonly updatedAt: Date;

  /** The price in a currency, and the rate of the amount; null for an amount of the token. */
  @Column({ type: 'json', nullable: true })
  readonly conversion: Conversion | null;
}
