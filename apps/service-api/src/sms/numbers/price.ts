import { decimalText, formatUnits, isDecimalText } from '@tollbridge/money';

// Budgets count millionths of a dollar.
const digits = 6;

/** A provider's price as decimal dollars, rounded up; undefined for an invalid one. */
export function priceText(value: unknown): string | undefined {
  const plain = typeof value === 'string' ? value : decimalText(value);
  if (plain === undefined || !isDecimalText(plain)) return undefined;
  const [whole = '', fraction = ''] = plain.split('.');
  const kept = BigInt(whole + fraction.slice(0, digits).padEnd(digits, '0'));
  const isCut = /[1-9]/.test(fraction.slice(digits));
  return formatUnits(isCut ? kept + 1n : kept, digits);
}
