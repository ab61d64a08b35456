// Reads untrusted JSON field by field, so that only validated fields are used. Errors contain the path of the
// field, never its untrusted value. The functions are pure.
import { isAmountText, maxAmount } from '@tollbridge/money';
import { isInteger, parse } from 'lossless-json';

/** Thrown for a reply that contradicts its documentation. */
export class UnreadableReply extends Error {
  override readonly name = 'UnreadableReply';
}

export type Fields = Readonly<Record<string, unknown>>;

/**
 * Parses JSON with every whole number as a bigint, because `JSON.parse` rounds numbers above 2^53. Amounts in
 * lamports, sun or octas exceed that, as do sums over all outputs of an address.
 */
export function parseExactJson(text: string): unknown {
  return parse(text, null, (number) => (isInteger(number) ? BigInt(number) : Number(number)));
}

export function isAbsent(value: unknown): value is undefined | null {
  return value === undefined || value === null;
}

/** Returns null for a field that is null or missing; else reads it. */
export function readOptional<T>(
  value: unknown,
  path: string,
  read: (value: unknown, path: string) => T,
): T | null {
  return isAbsent(value) ? null : read(value, path);
}

export function readFields(value: unknown, path: string): Fields {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new UnreadableReply(`${path} is not an object`);
  return value as Fields;
}

export function readList(value: unknown, path: string, maxLength = Infinity): readonly unknown[] {
  if (Array.isArray(value) && value.length <= maxLength) return value;
  throw new UnreadableReply(
    `${path} is not a list${maxLength === Infinity ? '' : ` of at most ${maxLength}`}`,
  );
}

export function readText(value: unknown, path: string, maxLength = Infinity): string {
  if (typeof value === 'string' && value.length <= maxLength) return value;
  const limit = maxLength === Infinity ? '' : ` of at most ${maxLength} characters`;
  throw new UnreadableReply(`${path} is not a string${limit}`);
}

/** @param what description of valid values for the error, such as "an address" */
export function readTextLike(value: unknown, path: string, form: RegExp, what: string): string {
  if (typeof value !== 'string' || !form.test(value)) throw new UnreadableReply(`${path} is not ${what}`);
  return value;
}

export function readBoolean(value: unknown, path: string): boolean {
  if (typeof value !== 'boolean') throw new UnreadableReply(`${path} is not a boolean`);
  return value;
}

/** Reads a height, an index or a time: a safe integer of at least 0. */
export function readCount(it: unknown, path: string, max = Number.MAX_SAFE_INTEGER): number {
  const isWhole = typeof it === 'bigint' || (typeof it === 'number' && Number.isSafeInteger(it));
  if (!isWhole || it < 0 || it > max)
    throw new UnreadableReply(`${path} is not a whole number${limitText(max)}`);
  return Number(it);
}

const limitText = (max: number): string => (max === Number.MAX_SAFE_INTEGER ? '' : ` from 0 to ${max}`);

/** Reads an amount in the smallest unit from a string of digits. */
export function readAmount(value: unknown, path: string, max = maxAmount): bigint {
  const amountAtomic = isAmountText(value) ? BigInt(value) : undefined;
  if (amountAtomic === undefined || amountAtomic > max) throw new UnreadableReply(`${path} is not an amount`);
  return amountAtomic;
}

/** Reads an amount in the smallest unit from a number, as returned by `parseExactJson`. */
export function readAmountNumber(value: unknown, path: string, max = maxAmount): bigint {
  if (typeof value !== 'bigint' || value < 0n || value > max)
    throw new UnreadableReply(`${path} is not an amount`);
  return value;
}
