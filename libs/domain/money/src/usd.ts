import { Decimal } from './decimal';

const usdDecimals = 6;
const minShownDecimals = 2;

/** Formats dollars for the API: rounded down to a millionth, with at least two digits after the point (`12.50`). */
export function usdText(value: Decimal): string {
  const [whole = '', fraction = ''] = value.roundedDown(usdDecimals).text.split('.');
  return `${whole}.${fraction.padEnd(minShownDecimals, '0')}`;
}

/** Adds decimal dollar texts; null if one of them is null because its price is missing. */
export function sumUsd(values: readonly (string | null)[]): string | null {
  const known = values.filter((value) => value !== null);
  return known.length < values.length ? null : usdText(Decimal.sum(known));
}

/** Returns the dollar value of an amount at a price in dollars per whole token, in the format of `usdText`. */
export function usdValue(amountAtomic: bigint, decimals: number, priceUsd: string): string {
  return usdText(Decimal.fromAtomic(amountAtomic, decimals).times(Decimal.of(priceUsd)));
}

/** Returns the smallest amount, in the smallest unit, that is worth `usd`; undefined if the price is 0. */
export function unitsWorth(usd: string, decimals: number, priceUsd: string): bigint | undefined {
  const price = Decimal.of(priceUsd);
  if (price.isZero) return undefined;
  return Decimal.of(usd).dividedUp(price, decimals).toAtomicUp(decimals);
}
