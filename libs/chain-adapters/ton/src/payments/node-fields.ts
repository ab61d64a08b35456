// Parses fields of a node's answers. A node may lag, fail or lie, so each field is validated before it is used.
import { UnreadableReply, readCount, readTextLike } from '@tollbridge/http';

const hexForm = /^[0-9a-f]{64}$/i;
const base64Form = /^[A-Za-z0-9+/_-]{43}=?$/;
const maxLt = 2n ** 64n;
const maxSeqno = 2 ** 31 - 1;
const maxTime = 2 ** 32 - 1;

/** Parses a hash of 32 bytes, which nodes return in base64 or hexadecimal. Returns 64 lower-case hexadecimal digits. */
export function readHash(value: unknown, path: string): string {
  if (typeof value === 'string' && hexForm.test(value)) return value.toLowerCase();
  return Buffer.from(readTextLike(value, path, base64Form, 'a hash'), 'base64').toString('hex');
}

/** Parses a logical time, which nodes return as a string. */
export function readLt(value: unknown, path: string): bigint {
  const lt = BigInt(readTextLike(value, path, /^[0-9]{1,20}$/, 'a logical time'));
  if (lt >= maxLt) throw new UnreadableReply(`${path} is not a logical time`);
  return lt;
}

/** Parses the sequence number of a block. */
export const readSeqno = (value: unknown, path: string): number => readCount(value, path, maxSeqno);

/** Parses Unix seconds. The index returns a string, and the node returns a number. */
export function readTime(time: unknown, path: string): number {
  const isText = typeof time === 'string' && /^[0-9]{1,10}$/.test(time);
  return readCount(isText ? Number(time) : time, path, maxTime);
}

/** Parses a raw address, which the index returns in upper case. Returns lower case. */
export const readAccount = (value: unknown, path: string): string =>
  readTextLike(value, path, /^(-1|0):[0-9a-f]{64}$/i, 'an address').toLowerCase();
