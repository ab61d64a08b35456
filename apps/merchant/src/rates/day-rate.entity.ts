import { keep, Retention } from '@tollbridge/database';
import { Check, Column, Entity, PrimaryColumn } from 'typeorm';

/** The rate of a currency on one day (UTC), for the values of payments in the merchant's currency. */
@Entity('fiat_rate_days')
@Retention(keep('rates of past payments, a row for each currency and day'))
@Check('fiat_rate_days_per_usd_check', 'per_usd > (0)::numeric')
export class DayRateEntity {
  @PrimaryColumn({ type: 'text' })
  readonly currency: string;

  @PrimaryColumn({ type: 'date' })
  readonly day: string;

  /** Units of the currency for one US dollar. */
  @Column({ type: 'numeric', name: 'per_usd' })
  readonly perUsd: string;
}

/** The sums of the completed payments of one day (UTC) that were priced in one currency. */
@Entity('payment_price_days')
@Retention(keep('sums, a row for each wallet, day and currency'))
export class PaymentPriceDayEntity {
  @PrimaryColumn({ type: 'text' })
  readonly wallet: string;

  @PrimaryColumn({ type: 'date' })
  readonly day: string;

  @PrimaryColumn({ type: 'text', name: 'price_currency' })
  readonly priceCurrency: string;

  @Column({ type: 'integer' })
  readonly payments: number;

  /** The number of these payments without a dollar value. */
  @Column({ type: 'integer' })
  readonly unpriced: number;

  /** In major units of the currency. */
  @Column({ type: 'numeric' })
  readonly price: string;

  @Column({ type: 'numeric', name: 'value_usd' })
  readonly valueUsd: string;
}
