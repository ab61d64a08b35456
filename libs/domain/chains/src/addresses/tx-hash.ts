import type { Chain, ChainFamily } from '../registry/chain';
import { decodeBase58 } from './codec/base58';

// 64 digits without 0x are a transaction hash of Bitcoin, TON, Tron and other chains.
const hexadecimal = /^(0x[0-9a-fA-F]+|[0-9a-fA-F]{64})$/;
// 32 bytes as written by TON nodes, in either base64 alphabet. Hashes of other chains do not end with "=".
const tonBase64 = /^[A-Za-z0-9+/_-]{43}=$/;

/**
 * Returns the canonical form of a transaction hash on any chain, so that two spellings of one transaction are equal.
 * Hexadecimal becomes lower case. TON's base64 becomes hexadecimal. Base58 is unchanged.
 */
export function canonicalTxHash(text: string): string {
  if (tonBase64.test(text)) return Buffer.from(text, 'base64url').toString('hex');
  return hexadecimal.test(text) ? text.toLowerCase() : text;
}

interface HashForm {
  matches(txHash: string): boolean;
  shape: string;
}

const matching = (pattern: RegExp) => (txHash: string) => pattern.test(txHash);
// The length is limited, because the decoder is quadratic.
const base58Of = (bytes: number, maxLength: number) => (txHash: string) =>
  txHash.length <= maxLength && decodeBase58(txHash)?.length === bytes;

// The chain adapter of a family adds its entry.
const forms: Readonly<Partial<Record<ChainFamily, HashForm>>> = {
  evm: { matches: matching(/^0x[0-9a-f]{64}$/), shape: '0x and 64 hexadecimal digits' },
  ton: { matches: matching(/^[0-9a-f]{64}$/), shape: '64 hexadecimal digits, or base64 of 32 bytes' },
  tron: { matches: matching(/^[0-9a-f]{64}$/), shape: '64 hexadecimal digits' },
  solana: { matches: base58Of(64, 88), shape: 'base58 of 64 bytes' },
  sui: { matches: base58Of(32, 44), shape: 'base58 of 32 bytes' },
};

/** Whether a canonical text can be a transaction hash of this chain. Always true when `txHashShape` returns null. */
export function isTxHash({ family }: Pick<Chain, 'family'>, txHash: string): boolean {
  return forms[family]?.matches(txHash) ?? true;
}

/** Completes "must be …", such as "0x and 64 hexadecimal digits". Null for a family without hash validation. */
export function txHashShape({ family }: Pick<Chain, 'family'>): string | null {
  return forms[family]?.shape ?? null;
}
