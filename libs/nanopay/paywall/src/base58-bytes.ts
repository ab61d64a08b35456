import { base58 } from '@scure/base';

/** Exactly so many bytes; undefined for anything else. */
export function base58Bytes(text: string, byteLength: number): Uint8Array | undefined {
  // Each character has more than five bits, and decoding takes the square of the length.
  if (text.length > byteLength * 2) return undefined;
  try {
    const bytes = base58.decode(text);
    return bytes.length === byteLength ? bytes : undefined;
  } catch {
    return undefined;
  }
}
