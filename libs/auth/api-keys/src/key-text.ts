import type { Environment } from '@tollbridge/config';
import { createHash, randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';

/** `test` keys cannot spend real money. Each mode rejects keys of the other. */
export type KeyMode = 'test' | 'live';

/** `publishable` is the public half of a key, `secret` is the half that is shown once. */
export type KeyKind = 'publishable' | 'secret';

/** Includes session tokens of wallets, which have the same form. */
export type TextKind = KeyKind | 'session';

export interface KeyText {
  mode: KeyMode;
  kind: TextKind;
}

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const marks = { publishable: 'pk', secret: 'sk', session: 'ws' } as const;
const kinds = { pk: 'publishable', sk: 'secret', ws: 'session' } as const;
// 192 bits cannot be guessed, regardless of the number of keys. 62^33 is just above 2^192, 62^6 above 2^32.
const randomLength = 24;
const bodyDigits = 33;
const checksumDigits = 6;
const form = new RegExp(`^tb_(test|live)_(pk|sk|ws)_[0-9A-Za-z]{${bodyDigits + checksumDigits}}$`);
const sessionForm = new RegExp(`^tb_(test|live)_${marks.session}_`);

export function modeOf(environment: Environment): KeyMode {
  return environment === 'production' ? 'live' : 'test';
}

/**
 * Creates a random key such as `tb_test_pk_…`. Its checksum distinguishes a typing mistake from a revoked key, without
 * a lookup.
 */
export function newKeyText(mode: KeyMode, kind: TextKind): string {
  const body = `tb_${mode}_${marks[kind]}_${base62(randomBytes(randomLength), bodyDigits)}`;
  return body + checksumOf(body);
}

/** Returns mode and kind of a key; undefined for a text without the form or checksum of a key. */
export function readKeyText(text: string): KeyText | undefined {
  const [, mode, mark] = form.exec(text) ?? [];
  if (!mode || text.slice(-checksumDigits) !== checksumOf(text.slice(0, -checksumDigits))) return undefined;
  return { mode: mode as KeyMode, kind: kinds[mark as keyof typeof kinds] };
}

/** Whether a text has the prefix of a session token, valid or not. */
export function isSessionText(text: string): boolean {
  return sessionForm.test(text);
}

/**
 * Returns the SHA-256 digest in hexadecimal, which identifies a key after its request. Keys are random, so the digest
 * does not reveal them.
 */
export function digestOfKey(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

function checksumOf(body: string): string {
  const checksum = Buffer.alloc(4);
  checksum.writeUInt32BE(crc32(body));
  return base62(checksum, checksumDigits);
}

function base62(bytes: Buffer, length: number): string {
  let rest = BigInt(`0x${bytes.toString('hex')}`);
  let text = '';
  for (let digit = 0; digit < length; digit++) {
    text = alphabet[Number(rest % 62n)] + text;
    rest /= 62n;
  }
  return text;
}
