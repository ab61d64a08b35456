import { UnreadableReply } from '@tollbridge/http';
import { isInteger, parse } from 'lossless-json';

export { fieldsOf, type Fields } from '@tollbridge/http';

const maxU64 = 0xffff_ffff_ffff_ffffn;

/** JSON in which every whole number is a bigint: `JSON.parse` rounds lamports above 2^53. */
export function parseExactJson(text: string): unknown {
  return parse(text, null, (number) => (isInteger(number) ? BigInt(number) : Number(number)));
}

export function listOf(value: unknown, what: string): readonly unknown[] {
  if (!Array.isArray(value)) throw new UnreadableReply(`${what} is no list`);
  return value;
}

export function textOf(value: unknown, what: string): string {
  if (typeof value !== 'string') throw new UnreadableReply(`${what} is no text`);
  return value;
}

/** A slot, an index or a time: a whole number from 0 that is exact as a number. */
export function countOf(it: unknown, what: string): number {
  if (typeof it !== 'bigint' || it < 0n || it > BigInt(Number.MAX_SAFE_INTEGER))
    throw new UnreadableReply(`${what} is no count`);
  return Number(it);
}

/** An amount of lamports: a bare number of 64 bits. */
export function lamportsOf(value: unknown, what: string): bigint {
  if (typeof value !== 'bigint' || value < 0n || value > maxU64)
    throw new UnreadableReply(`${what} is no amount`);
  return value;
}

/** An amount of a token: digits in quotes. */
export function amountTextOf(value: unknown, what: string): bigint {
  if (typeof value !== 'string' || !/^\d{1,20}$/.test(value) || BigInt(value) > maxU64)
    throw new UnreadableReply(`${what} is no amount`);
  return BigInt(value);
}

const base58 = /^[1-9A-HJ-NP-Za-km-z]+$/;

/** An address or a block hash: 32 bytes in base58. */
export function addressOf(value: unknown, what: string): string {
  if (typeof value !== 'string' || value.length < 32 || value.length > 44 || !base58.test(value))
    throw new UnreadableReply(`${what} is no address`);
  return value;
}

/** A signature: 64 bytes in base58. */
export function signatureOf(value: unknown, what: string): string {
  if (typeof value !== 'string' || value.length < 64 || value.length > 88 || !base58.test(value))
    throw new UnreadableReply(`${what} is no signature`);
  return value;
}
