import { currencyDigits, isPriceText } from '@tollbridge/money';
import type { FiatPrice } from './conversions';

/**
 * The errors of a price in a request that has either a price or an amount, as pairs of field and message.
 * @param amountField the name of the field with the amount
 */
export function priceErrors(
  given: { price?: Partial<FiatPrice> | undefined; [amountField: string]: unknown },
  amountField: string,
): [field: string, message: string][] {
  const { price } = given;
  const hasAmount = given[amountField] !== undefined;
  if (price === undefined) return [];
  const both: [string, string][] = hasAmount ? [['price', `must not be sent with ${amountField}`]] : [];
  return [...both, ...fieldErrors(price)];
}

/** Fields that are not valid by themselves are absent, and have their own errors. */
function fieldErrors({ amount, currency }: Partial<FiatPrice>): [field: string, message: string][] {
  if (currency === undefined) return [];
  const digits = currencyDigits(currency);
  if (digits === undefined) return [['price.currency', 'must be a currency code of ISO 4217, such as EUR']];
  if (amount === undefined || isPriceText(amount, currency)) return [];
  const after = digits === 0 ? 'no digits' : `at most ${digits} digits`;
  return [['price.amount', `must be above 0, with ${after} after the point for ${currency}`]];
}
