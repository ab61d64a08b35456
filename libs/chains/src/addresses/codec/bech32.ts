import { regroupBits } from './bits';

/** The 32 characters that bech32 (BIP 173), bech32m (BIP 350) and cashaddr share. */
export const BECH32_ALPHABET = 'qpzry9x8gf2tvdw0s3jn54khce6mua7l';

const GENERATOR = [0x3b6a57b2, 0x26508e6d, 0x1ea119fa, 0x3d4233dd, 0x2a1462b3];
const CHECKSUM_LENGTH = 6;
const VARIANT_OF_CHECKSUM: Readonly<Record<number, Bech32['variant']>> = {
  1: 'bech32',
  0x2bc830a3: 'bech32m',
};

export interface Bech32 {
  readonly variant: 'bech32' | 'bech32m';
  readonly prefix: string;
  /** Groups of five bits, without the checksum. */
  readonly words: readonly number[];
}

/**
 * Decodes either variant, undefined if a character or the checksum is wrong. The 90 characters of BIP 173 are no
 * limit here: Cardano and Zcash addresses are longer.
 */
export function decodeBech32(text: string): Bech32 | undefined {
  const lower = text.toLowerCase();
  const separator = lower.lastIndexOf('1');
  // Mixed case is forbidden: a checksum over one case would accept both.
  if ((text !== lower && text !== text.toUpperCase()) || separator < 1) {
    return undefined;
  }
  const prefix = lower.slice(0, separator);
  const words = wordsOf(lower.slice(separator + 1));
  if (!words || words.length < CHECKSUM_LENGTH) {
    return undefined;
  }
  const variant = VARIANT_OF_CHECKSUM[polymod([...expandPrefix(prefix), ...words])];
  return variant && { variant, prefix, words: words.slice(0, -CHECKSUM_LENGTH) };
}

export function encodeBech32(variant: Bech32['variant'], prefix: string, payload: Uint8Array): string {
  const paddedBits = Array.from(payload, (byte) => byte.toString(2).padStart(8, '0')).join('');
  const words = (paddedBits.match(/.{1,5}/g) ?? []).map((group) => parseInt(group.padEnd(5, '0'), 2));
  const [constant] = Object.entries(VARIANT_OF_CHECKSUM).find(([, name]) => name === variant)!;
  const rest = polymod([...expandPrefix(prefix), ...words, ...new Array<number>(CHECKSUM_LENGTH).fill(0)]);
  const checksum = Array.from(
    { length: CHECKSUM_LENGTH },
    (_, i) => ((rest ^ Number(constant)) >>> (5 * (CHECKSUM_LENGTH - 1 - i))) & 31,
  );
  return `${prefix}1${[...words, ...checksum].map((word) => BECH32_ALPHABET.charAt(word)).join('')}`;
}

/** The payload of a text in exactly this variant and with this prefix, undefined otherwise. */
export function bech32Payload(
  text: string,
  variant: Bech32['variant'],
  prefix: string,
): Uint8Array | undefined {
  const decoded = decodeBech32(text);
  return decoded?.variant === variant && decoded.prefix === prefix
    ? regroupBits(decoded.words, 5, 8)
    : undefined;
}

/** The five-bit value of every character, undefined if one is foreign. */
export function wordsOf(text: string): number[] | undefined {
  const words = Array.from(text, (character) => BECH32_ALPHABET.indexOf(character));
  return words.includes(-1) ? undefined : words;
}

function expandPrefix(prefix: string): number[] {
  const codes = Array.from(prefix, (character) => character.charCodeAt(0));
  return [...codes.map((code) => code >> 5), 0, ...codes.map((code) => code & 31)];
}

function polymod(values: readonly number[]): number {
  let checksum = 1;
  for (const value of values) {
    const top = checksum >>> 25;
    checksum = ((checksum & 0x1ffffff) << 5) ^ value;
    GENERATOR.forEach((generator, bit) => {
      checksum ^= (top >>> bit) & 1 ? generator : 0;
    });
  }
  return checksum >>> 0;
}
