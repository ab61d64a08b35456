import { canonicalAddress } from './addresses';
import { findChain, type Chain, type Token } from './registry';

/**
 * A key that is equal for all spellings of a token's address; `address` is null for the coin. A text that is not an
 * address, such as a coin type, is used as it is.
 */
export function tokenKey(chainId: string, address: string | null): string {
  if (address === null) return `${chainId} coin`;
  const chain = findChain(chainId);
  const read = chain && canonicalAddress(chain, address);
  return `${chainId} ${read?.ok ? read.address : address}`;
}

/** The token of a chain at an address in any spelling; undefined for one that the chain does not list. */
export function findTokenAt(chain: Pick<Chain, 'id' | 'tokens'>, address: string | null): Token | undefined {
  const key = tokenKey(chain.id, address);
  return chain.tokens.find((token) => tokenKey(chain.id, token.address) === key);
}
