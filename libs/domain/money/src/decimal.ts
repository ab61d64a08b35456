const PLAIN_FORM = /^(0|[1-9][0-9]{0,30})(\.[0-9]{1,30})?$/;

/** Whether a text is a plain decimal such as 12.5: no sign, no exponent. */
export function isDecimalText(value: unknown): value is string {
  return typeof value === 'string' && PLAIN_FORM.test(value);
}

/**
 * A number that somebody else's JSON carries, such as a price, as a plain decimal of the same value; undefined for what
 * is none. For figures that are shown: no amount is a number.
 */
export function decimalText(value: unknown): string | undefined {
  if (typeof value !== 'number' || !Number.isFinite(value) || value < 0) return undefined;
  const plain = withoutExponent(String(value));
  return isDecimalText(plain) ? plain : undefined;
}

/** `6.2e-7` as 0.00000062: the digits that JavaScript prints, not those of the binary fraction behind them. */
function withoutExponent(text: string): string {
  const [mantissa = '', exponent] = text.split('e');
  if (exponent === undefined) return text;
  const [whole = '', fraction = ''] = mantissa.split('.');
  const shift = Number(exponent);
  return shift < 0
    ? `0.${'0'.repeat(-shift - whole.length)}${whole}${fraction}`
    : (whole + fraction).padEnd(whole.length + shift, '0');
}
