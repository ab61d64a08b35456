const form = /^\s*\$?([0-9]{1,12})(?:\.([0-9]{1,30}))?\s*$/;

/**
 * Converts a price in dollars, such as `$0.001`, to the smallest unit of a stablecoin.
 * @throws TypeError for a malformed price, and for a price that is not exact in this many decimals
 */
export function dollarsToAtomic(price: string, decimals: number): bigint {
  const [, whole, fraction = ''] = form.exec(price) ?? [];
  if (whole === undefined) throw new TypeError(`Invalid price ${price}. Write dollars as "$0.001".`);
  const digits = fraction.replace(/0+$/, '');
  if (digits.length > decimals)
    throw new TypeError(
      `Invalid price ${price}: an asset with ${decimals} decimals cannot express it exactly.`,
    );
  return BigInt(whole + digits.padEnd(decimals, '0'));
}
