import { getBase58Encoder } from '@solana/kit';

// Loaded by the first payment on Tron.
export { serializeSignature } from 'viem';
export { sign } from 'viem/accounts';

export const base58Bytes = (text: string): Uint8Array => Uint8Array.from(getBase58Encoder().encode(text));
