import { maxAmount, requireAmount } from './amount';

// ERC-20 `decimals()` is a uint8. No supported chain allows more.
const maxDecimals = 255;

// 78 digits before the point, and 255 after it. Longer texts are rejected before they are parsed.
const maxTextLength = 78 + 1 + maxDecimals;

const decimalForm = /^(0|[1-9][0-9]*)(?:\.([0-9]+))?$/;

/** Formats an amount of the smallest unit as an exact decimal, without exponent or trailing zeros. */
export function formatUnits(amount: bigint, decimals: number): string {
  requireAmount(amount);
  requireDecimals(decimals);
  const digits = amount.toString().padStart(decimals + 1, '0');
  const whole = digits.slice(0, digits.length - decimals);
  const fraction = digits.slice(digits.length - decimals).replace(/0+$/, '');
  return fraction === '' ? whole : `${whole}.${fraction}`;
}

/**
 * Parses an exact decimal into the smallest unit. @throws RangeError for digits beyond the precision, instead of
 * rounding
 */
export function parseUnits(text: string, decimals: number): bigint {
  requireDecimals(decimals);
  const match = text.length <= maxTextLength ? decimalForm.exec(text) : null;
  if (!match) {
    throw new RangeError('a decimal amount is written in plain digits with an optional point, such as 12.5');
  }
  const [, whole = '', fraction = ''] = match;
  if (fraction.length > decimals) {
    throw new RangeError(`at most ${decimals} digits may follow the point, got ${fraction.length}`);
  }
  const amount = BigInt(whole + fraction.padEnd(decimals, '0'));
  if (amount > maxAmount) {
    throw new RangeError('the amount is above 2^256-1 in the smallest unit');
  }
  return amount;
}

function requireDecimals(decimals: number): void {
  if (!Number.isInteger(decimals) || decimals < 0 || decimals > maxDecimals) {
    throw new RangeError(`decimals must be a whole number from 0 to ${maxDecimals}`);
  }
}
