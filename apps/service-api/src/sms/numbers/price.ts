import { Decimal, decimalText, isDecimalText } from '@tollbridge/money';

// Budgets count millionths of a dollar.
const digits = 6;

/** Converts a provider's price to decimal dollars, rounded up; undefined for an invalid price. */
export function priceText(value: unknown): string | undefined {
  const plain = typeof value === 'string' ? value : decimalText(value);
  if (plain === undefined || !isDecimalText(plain)) return undefined;
  return Decimal.of(plain).roundedUp(digits).text;
}
