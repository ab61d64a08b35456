import { bech32, bech32m } from '@scure/base';

// BIP 173 and BIP 350, which differ only in the checksum.
const coderByVariant = { bech32, bech32m };

export type Bech32Variant = keyof typeof coderByVariant;

export interface Bech32 {
  readonly prefix: string;
  /** Five-bit groups, without the checksum. */
  readonly words: readonly number[];
}

/**
 * Decodes a text; undefined if a character or the checksum of this variant is wrong. The limit of 90 characters from
 * BIP 173 is not applied, because Cardano and Zcash addresses are longer.
 */
export function decodeBech32(text: string, variant: Bech32Variant): Bech32 | undefined {
  return coderByVariant[variant].decodeUnsafe(text, false) || undefined;
}

/** Returns the payload of a text with exactly this variant and prefix; undefined otherwise. */
export function bech32Payload(text: string, variant: Bech32Variant, prefix: string): Uint8Array | undefined {
  const decoded = decodeBech32(text, variant);
  return decoded?.prefix === prefix ? bytesOfWords(decoded.words) : undefined;
}

/**
 * Converts five-bit words to bytes. Undefined if the last group has leftover bits that no correct encoder writes,
 * because one address would then have several spellings.
 */
export function bytesOfWords(words: readonly number[]): Uint8Array | undefined {
  return bech32.fromWordsUnsafe([...words]) || undefined;
}

export function wordsOfBytes(bytes: Uint8Array): number[] {
  return bech32.toWords(bytes);
}
