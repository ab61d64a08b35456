import { utils } from '@scure/base';
import { attempt } from './attempt';
import { bytesOfWords, wordsOfBytes } from './bech32';

// No library computes the checksum. The libraries are only ES modules (@bitauth/libauth), reject the token-aware kinds
// (ecashaddrjs), or are unmaintained (cashaddrjs).
const checksumGenerator = [0x98f2bc8e61n, 0x79b76d99e2n, 0xf33e5fb3c4n, 0xae2eabe2a8n, 0x1e4f43e470n];
const checksumLength = 8;

// The alphabet of bech32.
const alphabet = utils.chain(utils.alphabet('qpzry9x8gf2tvdw0s3jn54khce6mua7l'), utils.join(''));

/** Decodes the part of a Bitcoin Cash address after `bitcoincash:`; undefined if the checksum is wrong. */
export function decodeCashaddr(prefix: string, body: string): Uint8Array | undefined {
  const words = attempt(() => alphabet.decode(body));
  if (!words || words.length <= checksumLength || polymod([...expandPrefix(prefix), ...words]) !== 0n) {
    return undefined;
  }
  return bytesOfWords(words.slice(0, -checksumLength));
}

export function encodeCashaddr(prefix: string, payload: Uint8Array): string {
  const words = wordsOfBytes(payload);
  const rest = polymod([...expandPrefix(prefix), ...words, ...new Array<number>(checksumLength).fill(0)]);
  const checksum = Array.from({ length: checksumLength }, (_, i) =>
    Number((rest >> BigInt(5 * (checksumLength - 1 - i))) & 31n),
  );
  return alphabet.encode([...words, ...checksum]);
}

function expandPrefix(prefix: string): number[] {
  return [...Array.from(prefix, (character) => character.charCodeAt(0) & 31), 0];
}

// 40 bits exceed JavaScript's 32-bit operators, so the code uses bigint.
function polymod(words: readonly number[]): bigint {
  let checksum = 1n;
  for (const word of words) {
    const top = checksum >> 35n;
    checksum = ((checksum & 0x07ffffffffn) << 5n) ^ BigInt(word);
    checksumGenerator.forEach((generator, bit) => {
      checksum ^= (top >> BigInt(bit)) & 1n ? generator : 0n;
    });
  }
  return checksum ^ 1n;
}
