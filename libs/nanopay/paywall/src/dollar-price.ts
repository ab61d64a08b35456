const form = /^\s*\$?([0-9]{1,12})(?:\.([0-9]{1,30}))?\s*$/;

/**
 * Converts a price in dollars, such as `$0.001`, to the smallest unit of a stablecoin.
 * @throws TypeError for text that is no price, and for a price that is not exact in this many decimals
 */
export function dollarsToAtomic(price: string, decimals: number): bigint {
  const [, whole, fraction = ''] = form.exec(price) ?? [];
  if (whole === undefined) throw new TypeError(`${price} is no price: write dollars as "$0.001".`);
  const digits = fraction.replace(/0+$/, '');
  if (digits.length > decimals)
    throw new TypeError(`${price} is no price in an asset with ${decimals} decimals: it is not exact.`);
  return BigInt(whole + digits.padEnd(decimals, '0'));
}
