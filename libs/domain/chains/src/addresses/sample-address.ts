import type { Chain } from '../registry/chain';

/** Returns a fixed address of this chain, for price requests before the payer is known. Never pay to it. */
export function sampleAddress(chain: Chain): string {
  return chain.sampleAddress;
}
