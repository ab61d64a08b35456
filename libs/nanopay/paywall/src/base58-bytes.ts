import { base58 } from '@scure/base';

/** Decodes exactly this number of bytes; undefined for anything else. */
export function base58Bytes(text: string, byteLength: number): Uint8Array | undefined {
  // Rejects long text first, because decoding takes quadratic time. Each character encodes more than five bits.
  if (text.length > byteLength * 2) return undefined;
  try {
    const bytes = base58.decode(text);
    return bytes.length === byteLength ? bytes : undefined;
  } catch {
    return undefined;
  }
}
