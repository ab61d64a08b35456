import { bech32, bech32m } from '@scure/base';

// BIP 173 and BIP 350. They differ in the checksum only.
const coderByVariant = { bech32, bech32m };

export type Bech32Variant = keyof typeof coderByVariant;

export interface Bech32 {
  readonly prefix: string;
  /** Groups of five bits, without the checksum. */
  readonly words: readonly number[];
}

/**
 * Undefined if a character or the checksum of this variant is wrong. The limit of 90 characters of BIP 173 does not
 * apply: Cardano and Zcash addresses are longer.
 */
export function decodeBech32(text: string, variant: Bech32Variant): Bech32 | undefined {
  return coderByVariant[variant].decodeUnsafe(text, false) || undefined;
}

/** The payload of a text in exactly this variant and with this prefix, undefined otherwise. */
export function bech32Payload(text: string, variant: Bech32Variant, prefix: string): Uint8Array | undefined {
  const decoded = decodeBech32(text, variant);
  return decoded?.prefix === prefix ? bytesOfWords(decoded.words) : undefined;
}

/**
 * Undefined if the last group carries leftover bits that a correct encoder never writes: they would give one address
 * several spellings.
 */
export function bytesOfWords(words: readonly number[]): Uint8Array | undefined {
  return bech32.fromWordsUnsafe([...words]) || undefined;
}

export function wordsOfBytes(bytes: Uint8Array): number[] {
  return bech32.toWords(bytes);
}
