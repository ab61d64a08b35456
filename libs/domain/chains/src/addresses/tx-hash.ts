import type { Chain, ChainFamily } from '../registry/chain';
import { decodeBase58 } from './codec/base58';

// 64 digits without 0x are a hash of Bitcoin, TON, Tron and others.
const hexadecimal = /^(0x[0-9a-fA-F]+|[0-9a-fA-F]{64})$/;
// 32 bytes as TON's nodes write them, in either alphabet. No other chain's hashes end like this.
const tonBase64 = /^[A-Za-z0-9+/_-]{43}=$/;

/**
 * The canonical spelling of a transaction's hash on any chain, so that two spellings of one transaction are equal.
 * Hexadecimal is in lower case, also where TON's nodes write base64; base58 stays as it is.
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
// The length bounds the decoder, which is quadratic.
const base58Of = (bytes: number, maxLength: number) => (txHash: string) =>
  txHash.length <= maxLength && decodeBase58(txHash)?.length === bytes;

// A family gets its entry with its chain adapter.
const forms: Readonly<Partial<Record<ChainFamily, HashForm>>> = {
  evm: { matches: matching(/^0x[0-9a-f]{64}$/), shape: '0x and 64 hexadecimal digits' },
  ton: { matches: matching(/^[0-9a-f]{64}$/), shape: '64 hexadecimal digits, or base64 of 32 bytes' },
  tron: { matches: matching(/^[0-9a-f]{64}$/), shape: '64 hexadecimal digits' },
  solana: { matches: base58Of(64, 88), shape: 'base58 of 64 bytes' },
  sui: { matches: base58Of(32, 44), shape: 'base58 of 32 bytes' },
};

/** Whether a canonical text can be the hash of a transaction of this chain. Always true where `txHashShape` is null. */
export function isTxHash({ family }: Pick<Chain, 'family'>, txHash: string): boolean {
  return forms[family]?.matches(txHash) ?? true;
}

/** Completes "must be …": "0x and 64 hexadecimal digits". Null where hashes of the family are not validated. */
export function txHashShape({ family }: Pick<Chain, 'family'>): string | null {
  return forms[family]?.shape ?? null;
}
