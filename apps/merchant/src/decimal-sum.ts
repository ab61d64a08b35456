/** The exact sum of plain, non-negative decimals, without trailing zeros. */
export function addDecimals(texts: readonly string[]): string {
  const scale = Math.max(0, ...texts.map(scaleOf));
  return decimalOf(
    texts.reduce((sum, text) => sum + scaled(text, scale), 0n),
    scale,
  );
}

/** Compares two plain, non-negative decimals, as a function for `sort`. */
export function compareDecimals(one: string, other: string): number {
  const scale = Math.max(scaleOf(one), scaleOf(other));
  const difference = scaled(one, scale) - scaled(other, scale);
  return difference === 0n ? 0 : difference < 0n ? -1 : 1;
}

/** A plain, non-negative decimal rounded half up to so many places, without trailing zeros. */
export function roundDecimal(text: string, places: number): string {
  const scale = Math.max(scaleOf(text), places);
  const unit = 10n ** BigInt(scale - places);
  return decimalOf((scaled(text, scale) + unit / 2n) / unit, places);
}

const scaleOf = (text: string): number => text.split('.')[1]?.length ?? 0;

function scaled(text: string, scale: number): bigint {
  const [whole = '0', fraction = ''] = text.split('.');
  return BigInt(whole + fraction.padEnd(scale, '0'));
}

function decimalOf(value: bigint, scale: number): string {
  const digits = value.toString().padStart(scale + 1, '0');
  const whole = digits.slice(0, digits.length - scale);
  const fraction = digits.slice(digits.length - scale).replace(/0+$/, '');
  return fraction === '' ? whole : `${whole}.${fraction}`;
}
