import type { Chain, ChainFamily } from '../registry/chain';

// 64 digits without 0x are a hash of Bitcoin, Tron and others.
const hexadecimal = /^(0x[0-9a-fA-F]+|[0-9a-fA-F]{64})$/;

/** The canonical spelling of a transaction's hash on any chain: hexadecimal has no case; base58 and base64 have. */
export function canonicalTxHash(text: string): string {
  return hexadecimal.test(text) ? text.toLowerCase() : text;
}

// A family gets its entry with its chain adapter.
const forms: Readonly<Partial<Record<ChainFamily, { pattern: RegExp; shape: string }>>> = {
  evm: { pattern: /^0x[0-9a-f]{64}$/, shape: '0x and 64 hexadecimal digits' },
};

/** Whether a canonical text can be the hash of a transaction of this chain. Always true where `txHashShape` is null. */
export function isTxHash({ family }: Pick<Chain, 'family'>, txHash: string): boolean {
  return forms[family]?.pattern.test(txHash) ?? true;
}

/** Completes "must be …": "0x and 64 hexadecimal digits". Null where hashes of the family are not validated. */
export function txHashShape({ family }: Pick<Chain, 'family'>): string | null {
  return forms[family]?.shape ?? null;
}
