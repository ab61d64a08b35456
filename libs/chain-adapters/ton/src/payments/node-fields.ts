// Fields of a node's answers. A node may lag, fail or lie: each field is validated before it is used.
import { UnreadableReply, type Fields } from '@tollbridge/http';

const rawForm = /^(-1|0):[0-9a-f]{64}$/;
const hexForm = /^[0-9a-f]{64}$/;
const base64Form = /^[A-Za-z0-9+/_-]{43}=?$/;
const maxLt = 2n ** 64n;
const maxSeqno = 2 ** 31;

/** A hash of 32 bytes, which nodes write in base64 or hexadecimal: 64 lower-case hex digits. @throws UnreadableReply */
export function hashField(fields: Fields, name: string): string {
  const value = fields[name];
  if (typeof value === 'string') {
    if (hexForm.test(value.toLowerCase())) return value.toLowerCase();
    if (base64Form.test(value)) return Buffer.from(value, 'base64').toString('hex');
  }
  throw new UnreadableReply(`${name} is no hash`);
}

/** A logical time, which nodes write as text. @throws UnreadableReply */
export function ltField(fields: Fields, name: string): bigint {
  const value = fields[name];
  if (typeof value === 'string' && /^[0-9]{1,20}$/.test(value) && BigInt(value) < maxLt) return BigInt(value);
  throw new UnreadableReply(`${name} is no logical time`);
}

/** The number of a block. @throws UnreadableReply */
export function seqnoField(fields: Fields, name: string): number {
  const value = fields[name];
  if (Number.isSafeInteger(value) && (value as number) >= 0 && (value as number) < maxSeqno)
    return value as number;
  throw new UnreadableReply(`${name} is no block number`);
}

/** Unix seconds, which the index writes as text and the node as a number. @throws UnreadableReply */
export function timeField(fields: Fields, name: string): number {
  const time = fields[name];
  const seconds = typeof time === 'string' && /^[0-9]{1,10}$/.test(time) ? Number(time) : time;
  if (Number.isSafeInteger(seconds) && (seconds as number) >= 0 && (seconds as number) < 2 ** 32)
    return seconds as number;
  throw new UnreadableReply(`${name} is no time`);
}

/** A raw address in lower case, which the index writes in upper case. @throws UnreadableReply */
export function accountField(fields: Fields, name: string): string {
  const value = fields[name];
  if (typeof value === 'string' && rawForm.test(value.toLowerCase())) return value.toLowerCase();
  throw new UnreadableReply(`${name} is no address`);
}

/** A list of at most this many. @throws UnreadableReply */
export function listField(fields: Fields, name: string, maxLength: number): readonly unknown[] {
  const value = fields[name];
  if (Array.isArray(value) && value.length <= maxLength) return value;
  throw new UnreadableReply(`${name} is no list of at most ${maxLength}`);
}

export const isAbsent = (value: unknown): boolean => value === null || value === undefined;
