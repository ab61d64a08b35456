// Reads untrusted JSON field by field: only validated fields are used. Each error names the path of the field and never
// its value, which comes from outside. Pure.
import { isAmountText, maxAmount } from '@tollbridge/money';
import { isInteger, parse } from 'lossless-json';

/** A reply that contradicts its documentation. */
export class UnreadableReply extends Error {
  override readonly name = 'UnreadableReply';
}

export type Fields = Readonly<Record<string, unknown>>;

/**
 * Parses JSON with every whole number as a bigint: `JSON.parse` rounds above 2^53. Amounts in lamports, sun or octas
 * exceed that, and so do sums over all outputs that an address ever received.
 */
export function parseExactJson(text: string): unknown {
  return parse(text, null, (number) => (isInteger(number) ? BigInt(number) : Number(number)));
}

export function isAbsent(value: unknown): value is undefined | null {
  return value === undefined || value === null;
}

/** Null for a field that is null or missing. */
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

/** @param what the error says "is not" it, such as "an address" */
export function readTextLike(value: unknown, path: string, form: RegExp, what: string): string {
  if (typeof value !== 'string' || !form.test(value)) throw new UnreadableReply(`${path} is not ${what}`);
  return value;
}

export function readBoolean(value: unknown, path: string): boolean {
  if (typeof value !== 'boolean') throw new UnreadableReply(`${path} is not a boolean`);
  return value;
}

/** A height, an index or a time: a whole number from 0 that is exact as a number. */
export function readCount(it: unknown, path: string, max = Number.MAX_SAFE_INTEGER): number {
  const isWhole = typeof it === 'bigint' || (typeof it === 'number' && Number.isSafeInteger(it));
  if (!isWhole || it < 0 || it > max)
    throw new UnreadableReply(`${path} is not a whole number${limitText(max)}`);
  return Number(it);
}

const limitText = (max: number): string => (max === Number.MAX_SAFE_INTEGER ? '' : ` from 0 to ${max}`);

/** An amount in the smallest unit: digits in quotes. */
export function readAmount(value: unknown, path: string, max = maxAmount): bigint {
  const amountAtomic = isAmountText(value) ? BigInt(value) : undefined;
  if (amountAtomic === undefined || amountAtomic > max) throw new UnreadableReply(`${path} is not an amount`);
  return amountAtomic;
}

/** An amount in the smallest unit: a bare number, as `parseExactJson` reads it. */
export function readAmountNumber(value: unknown, path: string, max = maxAmount): bigint {
  if (typeof value !== 'bigint' || value < 0n || value > max)
    throw new UnreadableReply(`${path} is not an amount`);
  return value;
}
