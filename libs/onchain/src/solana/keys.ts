import { base58 } from '@scure/base';

/** The System program. It owns wallets, and it also represents the native coin and "no fee receiver". */
export const systemProgram = '11111111111111111111111111111111';
export const splTokenProgram = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA';
export const token2022Program = 'TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb';
export const associatedTokenProgram = 'ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL';
export const memoProgram = 'MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr';
/** `token_in_address` of an order in SOL. */
export const nativeCoin = systemProgram;

/**
 * Decodes a base58 address of 32 bytes.
 * @throws Error for any other text
 */
export function addressToBytes(address: string): Uint8Array {
  // Rejects a longer text first, because decoding takes quadratic time.
  const bytes = address.length <= 44 ? decode(address) : undefined;
  if (bytes?.length !== 32) throw new Error('Not a Solana address: expected 32 bytes in base58');
  return bytes;
}

/**
 * Encodes 32 bytes in base58.
 * @throws Error for another length
 */
export function addressFromBytes(bytes: Uint8Array): string {
  if (bytes.length !== 32) throw new Error(`A Solana address has 32 bytes, not ${bytes.length}`);
  return base58.encode(bytes);
}

function decode(text: string): Uint8Array | undefined {
  try {
    return base58.decode(text);
  } catch {
    return undefined;
  }
}
