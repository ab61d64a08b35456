import type { Conversion } from '@tollbridge/contracts';
import { keep, PersonalData, Retention } from '@tollbridge/database';
import { Check, Column, Entity, Index, PrimaryColumn } from 'typeorm';
import type { Pause } from './paylink';

/** A link that accepts plain transfers. */
@Entity('paylinks')
@PersonalData({ columns: ['name', 'description', 'metadata'] })
@Retention(keep('payments refer to it'))
// TypeORM cannot describe indexes with descending or INCLUDE columns, so the migrations create them.
@Index('paylinks_wallet', { synchronize: false })
@Check('paylinks_amount', '(amount = (0)::numeric) = (min_amount IS NOT NULL)')
@Check('paylinks_amount_check', 'amount >= (0)::numeric')
@Check('paylinks_cancel_url_check', "cancel_url ~ '^https?://'")
@Check('paylinks_closed', '(closed_at IS NULL) = (active AND (deleted_at IS NULL))')
@Check(
  'paylinks_count',
  '(payment_count >= unverified_count) AND (payment_count <= COALESCE(max_payments, payment_count))',
)
@Check('paylinks_max_payments_check', 'max_payments > 0')
@Check('paylinks_min_amount_check', 'min_amount > (0)::numeric')
@Check('paylinks_unverified', 'unverified_count >= 0')
@Check('paylinks_wallet_check', "wallet <> ''")
@Check('paylinks_times', 'updated_at >= created_at')
export class PayLinkEntity {
  @PrimaryColumn({ type: 'uuid' })
  readonly id: string;

  @Column({ type: 'text' })
  readonly wallet: string;

  @Column({ type: 'text' })
  readonly name: string;

  @Column({ type: 'text' })
  readonly description: string;

  @Column({ type: 'numeric', precision: 78, scale: 0 })
  readonly amount: string;

  @Column({ type: 'numeric', name: 'min_amount', precision: 78, scale: 0, nullable: true })
  readonly minAmount: string | null;

  @Column({ type: 'text' })
  readonly chain: string;

  @Column({ type: 'text' })
  readonly token: string;

  @Column({ type: 'text', name: 'token_address', nullable: true })
  readonly tokenAddress: string | null;

  @Column({ type: 'smallint' })
  readonly decimals: number;

  @Column({ type: 'text', name: 'receive_address' })
  readonly receiveAddress: string;

  @Column({ type: 'text', name: 'image_url', nullable: true })
  readonly imageUrl: string | null;

  @Column({ type: 'text', name: 'success_url', nullable: true })
  readonly successUrl: string | null;

  @Column({ type: 'text', name: 'cancel_url', nullable: true })
  readonly cancelUrl: string | null;

  @Column({ type: 'json', nullable: true })
  readonly metadata: Record<string, unknown> | null;

  @Column({ type: 'timestamptz', name: 'expires_at', nullable: true })
  readonly expiresAt: Date | null;

  @Column({ type: 'integer', name: 'max_payments', nullable: true })
  readonly maxPayments: number | null;

  @Column({ type: 'boolean', default: true })
  readonly active: boolean;

  @Column({ type: 'timestamptz', name: 'closed_at', nullable: true })
  readonly closedAt: Date | null;

  @Column({ type: 'timestamptz', name: 'deleted_at', nullable: true })
  readonly deletedAt: Date | null;

  @Column({ type: 'integer', name: 'payment_count', default: 0 })
  readonly paymentCount: number;

  @Column({ type: 'integer', name: 'unverified_count', default: 0 })
  readonly unverifiedCount: number;

  @Column({ type: 'timestamptz', name: 'created_at' })
  readonly createdAt: Date;

  @Column({ type: 'timestamptz', name: 'updated_at' })
  readonly updatedAt: Date;

  @Column({ type: 'jsonb', default: () => "'[]'" })
  readonly pauses: Pause[];

  /** The price in a currency, and the rate of the amount at the creation; null for a link without a price. */
  @Column({ type: 'json', nullable: true })
  readonly conversion: Conversion | null;
}
