import { canonicalAddress } from './addresses';
import { findChain } from './registry';

/**
 * One text for one token of a chain, however its address is spelled; `address` is null for the coin. What is no address
 * there, such as a NEAR contract or a coin type, counts as it is written.
 */
export function tokenKey(chainId: string, address: string | null): string {
  if (address === null) return `${chainId} coin`;
  const chain = findChain(chainId);
  const read = chain && canonicalAddress(chain, address);
  return `${chainId} ${read?.ok ? read.address : address}`;
}
