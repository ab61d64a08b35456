// As many digits as a decimal text has at most after its point: nothing of a price is cut off.
const priceDecimals = 30;
const usdDecimals = 6;
const shownAtLeast = 2;

/**
 * What an amount is worth, as a decimal string of dollars: rounded down to a millionth, with at least two digits after
 * the point.
 */
export function usdValue(amountAtomic: bigint, decimals: number, priceUsd: string): string {
  const scaled = amountAtomic * scaledPrice(priceUsd);
  const millionths = scaled / 10n ** BigInt(decimals + priceDecimals - usdDecimals);
  const digits = millionths.toString().padStart(usdDecimals + 1, '0');
  const [whole, fraction] = [digits.slice(0, -usdDecimals), digits.slice(-usdDecimals)];
  return `${whole}.${fraction.replace(/0+$/, '').padEnd(shownAtLeast, '0')}`;
}

/** How many of the smallest unit are worth this many dollars, rounded up; undefined for a token without worth. */
export function unitsWorth(usd: string, decimals: number, priceUsd: string): bigint | undefined {
  const price = scaledPrice(priceUsd);
  if (price === 0n) return undefined;
  return (scaledPrice(usd) * 10n ** BigInt(decimals) + price - 1n) / price;
}

function scaledPrice(priceUsd: string): bigint {
  const [whole = '0', fraction = ''] = priceUsd.split('.');
  return BigInt(whole + fraction.slice(0, priceDecimals).padEnd(priceDecimals, '0'));
}
