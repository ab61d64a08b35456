import { isTxHash } from '@tollbridge/chains';
import { UnreadableReply, readAmount, readText, readTextLike } from '@tollbridge/http';

// Longer strings are never printed or stored. A coin type has at most about a thousand characters.
const maxTextLength = 2_000;
const maxAtomic = 10n ** 39n - 1n;

export const readShortText = (value: unknown, path: string): string => readText(value, path, maxTextLength);

/** Parses a decimal string: GraphQL's `BigInt`. */
export const readAtomic = (value: unknown, path: string): bigint => readAmount(value, path, maxAtomic);

export const readSignedAtomic = (value: unknown, path: string): bigint =>
  BigInt(readTextLike(value, path, /^-?\d{1,39}$/, 'an amount'));

/** Parses 32 bytes in base58. */
export function readDigest(value: unknown, path: string): string {
  const text = readShortText(value, path);
  if (!isTxHash({ family: 'sui' }, text)) throw new UnreadableReply(`${path} is not a digest`);
  return text;
}

/** Parses `0x` and 64 digits. Nodes return addresses with all digits. */
export const readAddress = (value: unknown, path: string): string =>
  readTextLike(value, path, /^0x[0-9a-f]{64}$/i, 'an address').toLowerCase();

/** Parses base64 of at most this number of bytes. */
export function readBytes(value: unknown, path: string, maxBytes = 16 * 1024): Uint8Array {
  const text = readText(value, path, maxBytes * 2);
  return Uint8Array.from(Buffer.from(readTextLike(text, path, /^[A-Za-z0-9+/]*={0,2}$/, 'base64'), 'base64'));
}

/** Parses an ISO time to Unix milliseconds. */
export function readTimeMs(value: unknown, path: string): number {
  const timeMs = Date.parse(readShortText(value, path));
  if (!Number.isSafeInteger(timeMs) || timeMs < 0) throw new UnreadableReply(`${path} is not a time`);
  return timeMs;
}
