// Fields of a provider's JSON, one by one: nothing of a reply is used that was not looked at. Pure.
import { isAmountText } from '@tollbridge/money';
import { UnreadableReply, type Fields } from '@tollbridge/http';

export { fieldsOf, UnreadableReply, type Fields } from '@tollbridge/http';

/** By their words. A plain object would also answer to `constructor` and its like. */
export function tableOf<T = string>(entries: Readonly<Record<string, T>>): ReadonlyMap<string, T> {
  return new Map(Object.entries(entries));
}

export function textOf(fields: Fields, name: string): string {
  const value = fields[name];
  // A control character could not be stored, and is in no address.
  if (typeof value !== 'string' || value === '' || value.length > 512 || /[\p{Cc}\p{Cs}]/u.test(value))
    throw new UnreadableReply(`${name} is no text`);
  return value;
}

export function optionalText(fields: Fields, name: string): string | null {
  return isAbsent(fields[name]) || fields[name] === '' ? null : textOf(fields, name);
}

export function amountOf(fields: Fields, name: string): bigint {
  const value = fields[name];
  if (!isAmountText(value)) throw new UnreadableReply(`${name} is no amount`);
  return BigInt(value);
}

export function optionalAmount(fields: Fields, name: string): bigint | null {
  return isAbsent(fields[name]) ? null : amountOf(fields, name);
}

// No delivery takes longer; a larger number is a mistake, and at last none that can be stored.
const longestSeconds = 30 * 24 * 60 * 60;

/** A duration, rounded up. */
export function secondsOf(fields: Fields, name: string): number {
  const value = fields[name];
  if (typeof value !== 'number' || !(value >= 0 && value <= longestSeconds))
    throw new UnreadableReply(`${name} is no time`);
  return Math.ceil(value);
}

export function isAbsent(value: unknown): value is undefined | null {
  return value === undefined || value === null;
}
