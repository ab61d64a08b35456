import { getAddress, getBytes, keccak256, toUtf8Bytes } from 'ethers';
import type { Chain, ChainFamily } from '../registry/chain';
import { encodeBase58, encodeBase58Check } from './codec/base58';
import { nonBounceableAddress } from './ton';

const tronPrefix = 0x41;

/** Functions that convert the 32 bytes of a hash to an address in canonical form. */
const makers: Readonly<
  Partial<Record<ChainFamily, (bytes: Buffer, chain: Pick<Chain, 'isTestnet'>) => string>>
> = {
  evm: (bytes) => getAddress(`0x${bytes.toString('hex').slice(-40)}`),
  ton: (bytes, { isTestnet }) => nonBounceableAddress(0, bytes, isTestnet),
  solana: (bytes) => encodeBase58(bytes),
  tron: (bytes) => encodeBase58Check(Buffer.concat([Buffer.of(tronPrefix), bytes.subarray(-20)])),
  sui: (bytes) => `0x${bytes.toString('hex')}`,
};

/**
 * Returns an address without a known key, for fields that require an account when none exists. Each seed has its own
 * fixed address. Null on chains without such addresses. Never pay to it.
 */
export function unusedAddress(chain: Pick<Chain, 'family' | 'isTestnet'>, seed: string): string | null {
  const bytes = Buffer.from(getBytes(keccak256(toUtf8Bytes(seed))));
  return makers[chain.family]?.(bytes, chain) ?? null;
}
