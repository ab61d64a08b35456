/** Hundred-thousandths: the provider rounds debits to five decimals. */
export type Money = bigint;

const digits = 5;
export const one: Money = 10n ** BigInt(digits);
export const hundred: Money = 100n * one;

/** Parses `1.08654` as hundred-thousandths. */
export function fraction(text: string): Money {
  const [whole = '', rest = ''] = text.split('.');
  return BigInt(whole + rest.padEnd(digits, '0'));
}

/** Reads the amount of a JSON request; undefined unless it is above 0. */
export function moneyOf(value: unknown): Money | undefined {
  const text = typeof value === 'number' ? String(value) : value;
  if (typeof text !== 'string' || !/^\d{1,12}(\.\d{1,5})?$/.test(text)) return undefined;
  const money = fraction(text);
  return money > 0n ? money : undefined;
}

export const times = (left: Money, right: Money): Money => (left * right + one / 2n) / one;
export const dividedBy = (left: Money, right: Money): Money => (left * one + right / 2n) / right;
export const percentOf = (percentage: Money, of: Money): Money => (of * percentage + hundred / 2n) / hundred;

/** Converts to a JSON number. Both values are exact doubles, so the quotient prints as the decimal number. */
export const number = (money: Money): number => Number(money) / Number(one);
