import { Decimal, decimalText, isDecimalText } from '@tollbridge/money';

// Budgets of keys know dollars to a millionth.
const digits = 6;

/** A price of a provider as decimal dollars, rounded up; undefined for what is none. */
export function priceText(value: unknown): string | undefined {
  const plain = typeof value === 'string' ? value : decimalText(value);
  if (plain === undefined || !isDecimalText(plain)) return undefined;
  return Decimal.of(plain).roundedUp(digits).text;
}
