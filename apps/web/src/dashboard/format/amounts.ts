/** Amounts are decimal text or bigint, never floats. */

const decimalForm = /^(-?)(\d+)(?:\.(\d+))?$/;

/** `1234567`, 6 → `1.234567`, without trailing zeros. @param atomic in the smallest unit */
export function formatUnits(atomic: string | bigint, decimals: number): string {
  const text = String(atomic);
  if (!/^-?\d+$/.test(text)) return text;
  const isNegative = text.startsWith('-');
  const digits = (isNegative ? text.slice(1) : text).padStart(decimals + 1, '0');
  const whole = digits.slice(0, digits.length - decimals);
  const fraction = decimals === 0 ? '' : digits.slice(-decimals).replace(/0+$/, '');
  return `${isNegative ? '-' : ''}${grouped(whole)}${fraction && `.${fraction}`}`;
}

/** `1.5`, 6 → `1500000`. Undefined for a text that is not an amount, has too many decimals, or is negative. */
export function parseUnits(text: string, decimals: number): string | undefined {
  const [, sign, whole, fraction = ''] = decimalForm.exec(text.trim().replaceAll(',', '')) ?? [];
  if (whole === undefined || sign === '-' || fraction.length > decimals) return undefined;
  return BigInt(whole + fraction.padEnd(decimals, '0')).toString();
}

/** `1234.5` → `$1,234.50`. Cents are cut, not rounded, so that a sum is never shown too high. */
export function formatUsd(text: string | null | undefined): string {
  const [, sign, whole, fraction = ''] = decimalForm.exec(text ?? '') ?? [];
  if (whole === undefined) return '—';
  return `${sign}$${grouped(whole)}.${fraction.padEnd(2, '0').slice(0, 2)}`;
}

/** `1234.5`, `EUR` → `1,234.5 EUR`. The text has the digits of the currency. */
export function formatMoney(text: string | null | undefined, currency: string): string {
  const [, sign, whole, fraction] = decimalForm.exec(text ?? '') ?? [];
  if (whole === undefined) return '—';
  return `${sign}${grouped(whole)}${fraction === undefined ? '' : `.${fraction}`} ${currency}`;
}

/** The value in the merchant's currency, otherwise in dollars. A dash stands for a payment without a rate. */
export function formatValue({ value, value_currency, value_usd }: Valued): string {
  return value_currency === undefined ? formatUsd(value_usd) : formatMoney(value, value_currency);
}

interface Valued {
  value?: string | null | undefined;
  value_currency?: string | undefined;
  value_usd: string | null;
}

/** The share of a part in a whole, in tenths of a percent from 0 to 1000. Both are decimal text. */
export function shareOf(part: string, whole: string): number {
  const [partUnits, wholeUnits] = [scaled(part), scaled(whole)];
  return wholeUnits <= 0n || partUnits <= 0n ? 0 : Number((partUnits * 1000n) / wholeUnits);
}

/** Adds decimal texts. */
export function sumOf(texts: readonly string[]): string {
  const sum = texts.reduce((total, text) => total + scaled(text), 0n);
  return formatUnits(sum, scale).replaceAll(',', '');
}

/** Negative, 0 or positive when the first is less than, equal to or more than the second. */
export function compareDecimals(one: string, other: string): number {
  const [first, second] = [scaled(one), scaled(other)];
  return first < second ? -1 : first > second ? 1 : 0;
}

const scale = 18;

function scaled(text: string): bigint {
  const [, sign, whole, fraction = ''] = decimalForm.exec(text) ?? [];
  if (whole === undefined) return 0n;
  const units = BigInt(whole + fraction.padEnd(scale, '0').slice(0, scale));
  return sign === '-' ? -units : units;
}

const grouped = (whole: string): string => whole.replace(/\B(?=(\d{3})+(?!\d))/g, ',');
