import type { Chain } from '../registry/chain';

/** A fixed address of this chain, for requesting prices before the payer is known. Never pay to it. */
export function sampleAddress(chain: Chain): string {
  return chain.sampleAddress;
}
