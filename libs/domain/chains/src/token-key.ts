import { canonicalAddress } from './addresses';
import { findChain, type Chain, type Token } from './registry';

/**
 * Returns a key that is equal for all spellings of a token's address; `address` is null for the coin. A text that is
 * not an address, such as a coin type, is used unchanged.
 */
export function tokenKey(chainId: string, address: string | null): string {
  if (address === null) return `${chainId} coin`;
  const chain = findChain(chainId);
  const read = chain && canonicalAddress(chain, address);
  return `${chainId} ${read?.ok ? read.address : address}`;
}

/** Finds the token of a chain by its address in any spelling; undefined for an unlisted token. */
export function findTokenAt(chain: Pick<Chain, 'id' | 'tokens'>, address: string | null): Token | undefined {
  const key = tokenKey(chain.id, address);
  return chain.tokens.find((token) => tokenKey(chain.id, token.address) === key);
}
