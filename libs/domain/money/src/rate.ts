// Twelve significant digits tell any two rates apart that matter to a person.
const significantDigits = 12;
// A rate below 10^-30 is none to anybody.
const rateDecimals = 30;

/** How many whole tokens `out` are for one whole token `given`, rounded down. */
export function rateOf(out: bigint, outDecimals: number, given: bigint, givenDecimals: number): string {
  const scaled = (out * 10n ** BigInt(givenDecimals + rateDecimals)) / (given * 10n ** BigInt(outDecimals));
  const digits = String(scaled).padStart(rateDecimals + 1, '0');
  const [whole, fraction] = [digits.slice(0, -rateDecimals), digits.slice(-rateDecimals)];
  // All digits before the point are kept: zeros in their place would be another number.
  const used = whole === '0' ? -fraction.search(/[1-9]|$/) : whole.length;
  const shown = fraction.slice(0, Math.max(significantDigits - used, 0)).replace(/0+$/, '');
  return shown === '' ? whole : `${whole}.${shown}`;
}
