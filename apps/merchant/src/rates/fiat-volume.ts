import { currencyDigits, Decimal } from '@tollbridge/money';
import type { FiatPrice } from '@tollbridge/rates';

/** The completed payments of one day. The driver returns sums as texts. */
export interface FiatDayRow {
  day: string;
  payments: string;
  /** Payments without a dollar value. */
  unpriced: string;
  value_usd: string;
  /** Units of the merchant's currency for one dollar on that day; null without a rate. */
  rate: string | null;
  /** The part of the payments that was priced in the merchant's currency; null without any. */
  priced: string | null;
  priced_unpriced: string | null;
  priced_usd: string | null;
  price: string | null;
}

export interface FiatVolume {
  /** In major units of the currency, with its digits. */
  volume: string;
  /** Payments without a value in the currency, which `volume` excludes. */
  unpriced: number;
}

/**
 * The value of payments in the merchant's currency. A payment that was priced in that currency has the value of its
 * price. Every other payment has its dollar value at the time of payment, at the rate of that day.
 */
export function fiatVolume(days: readonly FiatDayRow[], currency: string): FiatVolume {
  const volume = days.map(valueOfDay).reduce((sum, value) => sum.plus(value), Decimal.zero);
  return {
    volume: padded(volume, currencyDigits(currency) ?? 2),
    unpriced: days.reduce((sum, day) => sum + unpricedOf(day), 0),
  };
}

function valueOfDay({ value_usd, rate, priced_usd, price }: FiatDayRow): Decimal {
  const priced = Decimal.of(price ?? '0');
  if (rate === null) return priced;
  const others = Decimal.of(value_usd).minus(Decimal.of(priced_usd ?? '0'));
  return others.times(Decimal.of(rate)).plus(priced);
}

function unpricedOf({ payments, unpriced, rate, priced, priced_unpriced }: FiatDayRow): number {
  return rate === null
    ? Number(payments) - Number(priced ?? 0)
    : Number(unpriced) - Number(priced_unpriced ?? 0);
}

/**
 * The value of one payment, in the way of `fiatVolume`; null without a dollar value or a rate.
 * @param price the price of the payment; null without one
 * @param rate units of the currency for one dollar on the day of the payment
 */
export function fiatValue(
  { price, valueUsd, rate }: { price: FiatPrice | null; valueUsd: string | null; rate: string | undefined },
  currency: string,
): string | null {
  if (price?.currency === currency) return price.amount;
  if (valueUsd === null || rate === undefined) return null;
  return padded(Decimal.of(valueUsd).times(Decimal.of(rate)), currencyDigits(currency) ?? 2);
}

function padded(value: Decimal, digits: number): string {
  const [whole = '0', fraction = ''] = value.roundedDown(digits).text.split('.');
  return digits === 0 ? whole : `${whole}.${fraction.padEnd(digits, '0')}`;
}
