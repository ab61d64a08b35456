import { maxAmount, requireAmount } from './amount';
import { bpsPerWhole, ceilDiv } from './rounding';
import { parseUnits } from './units';

/** A price in a currency, and the rate that it is converted to an amount of a token with. */
export interface PriceConversion {
  /** The price in major units of its currency, a decimal text above 0. */
  amount: string;
  /** Units of the currency for one whole token, a decimal text above 0. */
  rate: string;
  /** Basis points that the payer pays above the price, from 0 to 10000. */
  spreadBps: number;
  /** Decimals of the token. */
  decimals: number;
}

/** The rate of a token, and the digits of the value. */
export interface ValueOptions {
  /** Units of the currency for one whole token, a decimal text above 0. */
  rate: string;
  /** Decimals of the token. */
  decimals: number;
  /** Digits after the point of the value, as of `currencyDigits`. */
  digits: number;
}

/** An exact decimal: `units` divided by ten to the power of `scale`. */
interface ScaledDecimal {
  units: bigint;
  scale: number;
}

// As for amounts: the decimals of a token are one byte.
const maxDecimals = 255;
// A longer text is not a price or a rate.
const maxTextLength = 1_000;

/**
 * Returns the amount of a token for a price, in the smallest unit. The amount is computed exactly and rounded up once,
 * at the end, so that the merchant never receives less than the price.
 * @throws RangeError for a price, rate, spread or number of decimals that is out of range, and for an amount above
 *   2^256-1
 */
export function amountForPrice({ amount, rate, spreadBps, decimals }: PriceConversion): bigint {
  requireDecimals(decimals, 'decimals');
  if (!Number.isInteger(spreadBps) || spreadBps < 0 || BigInt(spreadBps) > bpsPerWhole)
    throw new RangeError('a spread must be a whole number of basis points from 0 to 10000');
  const price = readDecimal(amount, 'a price');
  const perToken = readDecimal(rate, 'a rate');
  const atomic = ceilDiv(
    price.units * (bpsPerWhole + BigInt(spreadBps)) * powerOfTen(perToken.scale + decimals),
    perToken.units * bpsPerWhole * powerOfTen(price.scale),
  );
  if (atomic > maxAmount) throw new RangeError('the amount is above 2^256-1 in the smallest unit');
  return atomic;
}

/**
 * Returns the value of an amount of a token in a currency, in major units, with exactly `digits` digits after the
 * point. It is rounded down, so that no payment is shown at more than its value.
 * @throws RangeError for an amount, rate or number of digits that is out of range
 */
export function valueOf(amountAtomic: bigint, { rate, decimals, digits }: ValueOptions): string {
  requireAmount(amountAtomic);
  requireDecimals(decimals, 'decimals');
  requireDecimals(digits, 'digits');
  const perToken = readDecimal(rate, 'a rate');
  const minorUnits =
    (amountAtomic * perToken.units * powerOfTen(digits)) / powerOfTen(perToken.scale + decimals);
  return minorText(minorUnits, digits);
}

/**
 * Splits a value into parts that are proportional to the weights, each with exactly `digits` digits after the point.
 * The sum of the parts is the whole: each part ends at the rounded share of all weights up to it.
 * @param total decimal text with at most `digits` digits after the point
 * @returns one decimal text for each weight; a weight of 0 has the value 0
 * @throws RangeError for a negative weight, for weights without a sum above 0, and for an invalid total
 */
export function splitValue(total: string, digits: number, weights: readonly bigint[]): string[] {
  requireDecimals(digits, 'digits');
  const whole = parseUnits(total, digits);
  if (weights.some((weight) => weight < 0n)) throw new RangeError('a weight must not be negative');
  const sum = weights.reduce((all, weight) => all + weight, 0n);
  if (sum === 0n) throw new RangeError('at least one weight must be above 0');
  let weightSoFar = 0n;
  let givenSoFar = 0n;
  return weights.map((weight) => {
    weightSoFar += weight;
    const end = (whole * weightSoFar) / sum;
    const part = end - givenSoFar;
    givenSoFar = end;
    return minorText(part, digits);
  });
}

function readDecimal(text: string, name: string): ScaledDecimal {
  const [, whole, fraction = ''] =
    (text.length <= maxTextLength && /^(0|[1-9][0-9]*)(?:\.([0-9]+))?$/.exec(text)) || [];
  if (whole === undefined) throw new RangeError(`${name} must be a plain decimal, such as 12.5`);
  const units = BigInt(whole + fraction);
  if (units === 0n) throw new RangeError(`${name} must be above 0`);
  return { units, scale: fraction.length };
}

function requireDecimals(count: number, name: string): void {
  if (!Number.isInteger(count) || count < 0 || count > maxDecimals)
    throw new RangeError(`${name} must be a whole number from 0 to ${maxDecimals}`);
}

const powerOfTen = (exponent: number): bigint => 10n ** BigInt(exponent);

/** Formats minor units with exactly `digits` digits after the point, unlike `formatUnits`. */
function minorText(minorUnits: bigint, digits: number): string {
  if (digits === 0) return minorUnits.toString();
  const text = minorUnits.toString().padStart(digits + 1, '0');
  return `${text.slice(0, -digits)}.${text.slice(-digits)}`;
}
