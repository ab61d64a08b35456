import { getAddress, keccak256, toUtf8Bytes } from 'ethers';
import type { Chain } from '../registry/chain';

/**
 * An address without a known key, for fields that must name an account where there is none. The same seed gives the same
 * address, another seed another one. Null on chains where none is made. Never pay to it.
 */
export function unusedAddress({ family }: Pick<Chain, 'family'>, seed: string): string | null {
  return family === 'evm' ? getAddress(`0x${keccak256(toUtf8Bytes(seed)).slice(-40)}`) : null;
}
