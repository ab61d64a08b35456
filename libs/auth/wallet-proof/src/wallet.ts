import { canonicalAddress, canonicalPayer, findChain, type Chain } from '@tollbridge/chains';
import type { Environment } from '@tollbridge/config';

/** How wallets of one kind prove themselves. */
export const signInSchemes = ['eip4361', 'ton_proof', 'solana'] as const;
export type SignInScheme = (typeof signInSchemes)[number];

export interface Wallet {
  /** In its canonical form. */
  address: string;
  scheme: SignInScheme;
}

// All EVM chains write addresses alike, so any of them will do.
const chainIds: Record<SignInScheme, string> = { eip4361: 'eip155:1', ton_proof: 'ton', solana: 'solana' };

/** The wallet that a text names; undefined for what is no address of a wallet that can sign in here. */
export function readWallet(text: string, environment: Environment): Wallet | undefined {
  for (const scheme of signInSchemes) {
    const result = canonicalAddress(chainOf(scheme, environment), text);
    if (result.ok) return { address: result.address, scheme };
  }
  return undefined;
}

/**
 * The one spelling of a wallet, of whatever chain, in which wallets are compared; null for what is no address. TON's
 * raw form does not say its network: there the environment does.
 */
export function canonicalWallet(text: string, environment: Environment): string | null {
  const isTonRaw = /^-?\d+:/.test(text);
  return isTonRaw ? (readWallet(text, environment)?.address ?? null) : canonicalPayer(text);
}

function chainOf(scheme: SignInScheme, environment: Environment): Chain {
  const chain = findChain(chainIds[scheme])!;
  return { ...chain, isTestnet: scheme === 'ton_proof' && environment === 'test' };
}
