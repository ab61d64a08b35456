import { keep, Retention } from '@tollbridge/database';
import { Check, Column, Entity, PrimaryColumn } from 'typeorm';

/** The sums of the completed payments of one day (UTC). */
@Entity('payment_days')
@Retention(keep('sums, a row for each wallet, day and token'))
@Check('payment_days_amount_check', 'amount >= (0)::numeric')
@Check('payment_days_payments_check', 'payments >= 0')
@Check('payment_days_unpriced_check', 'unpriced >= 0')
@Check('payment_days_value_usd_check', 'value_usd >= (0)::numeric')
export class PaymentDayEntity {
  @PrimaryColumn({ type: 'text' })
  readonly wallet: string;

  @PrimaryColumn({ type: 'date' })
  readonly day: string;

  @PrimaryColumn({ type: 'text' })
  readonly currency: string;

  @PrimaryColumn({ type: 'text' })
  readonly chain: string;

  @Column({ type: 'integer' })
  readonly payments: number;

  @Column({ type: 'integer' })
  readonly unpriced: number;

  @Column({ type: 'numeric' })
  readonly amount: string;

  @Column({ type: 'numeric', name: 'value_usd' })
  readonly valueUsd: string;
}
