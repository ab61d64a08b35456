import { canonicalAddress, canonicalPayer, findChain, type Chain } from '@tollbridge/chains';
import type { Environment } from '@tollbridge/config';

/** Sign-in schemes, one for each family of wallets. */
export const signInSchemes = ['eip4361', 'ton_proof', 'solana'] as const;
export type SignInScheme = (typeof signInSchemes)[number];

export interface Wallet {
  /** Address in canonical form. */
  address: string;
  scheme: SignInScheme;
}

// All EVM chains have the same address format.
const chainIds: Record<SignInScheme, string> = { eip4361: 'eip155:1', ton_proof: 'ton', solana: 'solana' };

/** Parses the address of a wallet; undefined unless the wallet can sign in here. */
export function readWallet(text: string, environment: Environment): Wallet | undefined {
  for (const scheme of signInSchemes) {
    const result = canonicalAddress(chainOf(scheme, environment), text);
    if (result.ok) return { address: result.address, scheme };
  }
  return undefined;
}

/**
 * Returns the canonical form of a wallet on any chain, for comparisons; null for an invalid address. TON's raw form
 * does not contain the network, so the environment determines it.
 */
export function canonicalWallet(text: string, environment: Environment): string | null {
  const isTonRaw = /^-?\d+:/.test(text);
  return isTonRaw ? (readWallet(text, environment)?.address ?? null) : canonicalPayer(text);
}

function chainOf(scheme: SignInScheme, environment: Environment): Chain {
  const chain = findChain(chainIds[scheme])!;
  return { ...chain, isTestnet: scheme === 'ton_proof' && environment === 'test' };
}
