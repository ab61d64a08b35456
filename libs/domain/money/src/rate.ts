import { Decimal } from './decimal';

// Twelve significant digits are more than the rate of any market needs.
const significantDigits = 12;
// Rates below 10^-30 are rounded to 0.
const rateDecimals = 30;

/** Returns whole tokens `out` per whole token `given`, rounded down to 12 significant digits. */
export function rateOf(out: bigint, outDecimals: number, given: bigint, givenDecimals: number): string {
  return Decimal.fromAtomic(out, outDecimals)
    .dividedDown(Decimal.fromAtomic(given, givenDecimals), rateDecimals)
    .significantDown(significantDigits).text;
}
