const mostDecimals = 77;

/**
 * Converts an amount to the smallest unit of a token: `toAtomic('1.25', 6)` is `1250000n`. It is exact: an amount with
 * more decimals than the token is rejected, never rounded. The API expects the result as text: `String(toAtomic('1.25',
 * 6))`.
 * @param amount plain decimal text, without a sign, an exponent or separators
 * @param decimals of the token
 * @throws RangeError for an invalid amount or invalid decimals
 */
export function toAtomic(amount: string, decimals: number): bigint {
  checkDecimals(decimals);
  const [, whole = '', fraction = ''] =
    (typeof amount === 'string' && /^(\d+)(?:\.(\d+))?$/.exec(amount)) || [];
  if (whole === '')
    throw new RangeError(`Not an amount: ${JSON.stringify(amount)}. Pass text such as '1.25'.`);
  const digits = fraction.replace(/0+$/, '');
  if (digits.length > decimals)
    throw new RangeError(`${amount} has more than the ${decimals} decimals of the token.`);
  return BigInt(whole + digits.padEnd(decimals, '0'));
}

/**
 * Converts an amount to plain decimal text: `fromAtomic(1250000n, 6)` is `'1.25'`.
 * @param amount in the smallest unit of the token, as text from the API or as bigint
 * @param decimals of the token
 * @throws RangeError for an invalid amount or invalid decimals
 */
export function fromAtomic(amount: bigint | string, decimals: number): string {
  checkDecimals(decimals);
  const text = String(amount);
  if (typeof amount === 'number' || !/^-?\d+$/.test(text))
    throw new RangeError(`Not an amount in the smallest unit: ${text}.`);
  const isNegative = text.startsWith('-');
  const digits = text.slice(isNegative ? 1 : 0).padStart(decimals + 1, '0');
  const split = digits.length - decimals;
  const whole = digits.slice(0, split).replace(/^0+(?=\d)/, '');
  const fraction = digits.slice(split).replace(/0+$/, '');
  const value = fraction ? `${whole}.${fraction}` : whole;
  return isNegative && /[1-9]/.test(value) ? `-${value}` : value;
}

function checkDecimals(decimals: number): void {
  if (!Number.isInteger(decimals) || decimals < 0 || decimals > mostDecimals)
    throw new RangeError(`decimals must be an integer from 0 to ${mostDecimals}.`);
}
