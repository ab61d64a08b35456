import { canonicalAddress } from './addresses';
import { findChain } from './registry';

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
