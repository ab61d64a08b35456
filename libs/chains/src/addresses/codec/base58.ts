import { createHash } from 'node:crypto';

// Own codecs, 20 lines each: the published ones (@scure/base) are ES modules only, which neither jest nor a
// CommonJS build on Node below 20.19 can load. Checked against them and against published vectors.

export const BITCOIN_ALPHABET = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';
export const RIPPLE_ALPHABET = 'rpshnaf39wBUDNEGHJKLM4PQRST7VWXYZ2bcdeCg65jkm8oFqi1tuvAxyz';

const CHECKSUM_LENGTH = 4;

/** The bytes behind a base58 text, undefined if it has a foreign character. Quadratic: bound the length first. */
export function decodeBase58(text: string, alphabet = BITCOIN_ALPHABET): Uint8Array | undefined {
  const littleEndian: number[] = [];
  for (const character of text) {
    let carry = alphabet.indexOf(character);
    if (carry < 0) {
      return undefined;
    }
    for (let i = 0; i < littleEndian.length; i++) {
      carry += (littleEndian[i] ?? 0) * 58;
      littleEndian[i] = carry & 0xff;
      carry >>= 8;
    }
    for (; carry > 0; carry >>= 8) {
      littleEndian.push(carry & 0xff);
    }
  }
  const leadingZeros = countLeading(text, alphabet.charAt(0));
  return Uint8Array.from([...new Array<number>(leadingZeros).fill(0), ...littleEndian.reverse()]);
}

export function encodeBase58(bytes: Uint8Array, alphabet = BITCOIN_ALPHABET): string {
  const littleEndian: number[] = [];
  for (const byte of bytes) {
    let carry = byte;
    for (let i = 0; i < littleEndian.length; i++) {
      carry += (littleEndian[i] ?? 0) << 8;
      littleEndian[i] = carry % 58;
      carry = (carry - (carry % 58)) / 58;
    }
    for (; carry > 0; carry = (carry - (carry % 58)) / 58) {
      littleEndian.push(carry % 58);
    }
  }
  const firstNonZero = bytes.findIndex((byte) => byte !== 0);
  const leadingZeros = firstNonZero < 0 ? bytes.length : firstNonZero;
  const digits = littleEndian.reverse().map((digit) => alphabet.charAt(digit));
  return alphabet.charAt(0).repeat(leadingZeros) + digits.join('');
}

/** The payload of a base58check text, undefined if a character or the checksum is wrong. */
export function decodeBase58Check(text: string, alphabet = BITCOIN_ALPHABET): Uint8Array | undefined {
  const bytes = decodeBase58(text, alphabet);
  if (!bytes || bytes.length <= CHECKSUM_LENGTH) {
    return undefined;
  }
  const payload = bytes.subarray(0, -CHECKSUM_LENGTH);
  const isRight = checksumOf(payload).equals(bytes.subarray(-CHECKSUM_LENGTH));
  return isRight ? payload : undefined;
}

export function encodeBase58Check(payload: Uint8Array, alphabet = BITCOIN_ALPHABET): string {
  return encodeBase58(Buffer.concat([payload, checksumOf(payload)]), alphabet);
}

function checksumOf(payload: Uint8Array): Buffer {
  return sha256(sha256(payload)).subarray(0, CHECKSUM_LENGTH);
}

function sha256(bytes: Uint8Array): Buffer {
  return createHash('sha256').update(bytes).digest();
}

function countLeading(text: string, character: string): number {
  let count = 0;
  while (text.charAt(count) === character) {
    count++;
  }
  return count;
}
