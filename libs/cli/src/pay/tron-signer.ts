import { getBase58Encoder } from '@solana/kit';

// Loaded at the first payment on Tron, so that other commands start faster.
export { serializeSignature } from 'viem';
export { sign } from 'viem/accounts';

export const base58Bytes = (text: string): Uint8Array => Uint8Array.from(getBase58Encoder().encode(text));
