import type { Chain, ChainFamily } from '../registry/chain';
import { canonicalAddress } from './canonical';
import { decodeBase58, decodeBase58Check } from './codec/base58';
import { isEd25519Key } from './codec/ed25519';
import { stellarAccountKey } from './stellar';

type ReadAccount = (canonical: string) => string | undefined;

// Follows authHandleToIntentsUserId (defuse-protocol/sdk-monorepo at 7abab52,
// packages/internal-utils/src/utils/authIdentity.ts) and the contract. A secp256k1 key's account is 0x and the last 20
// bytes of its keccak (what EVM and Tron addresses are). An ed25519 key's account is its 64 hexadecimal digits.
const readByFamily: Readonly<Partial<Record<ChainFamily, ReadAccount>>> = {
  evm: (address) => address.toLowerCase(),
  tron: (address) => hexOf(decodeBase58Check(address)?.subarray(1), '0x'),
  near: (address) => address,
  solana: (address) => accountOfKey(decodeBase58(address)),
  stellar: (address) => accountOfKey(stellarAccountKey(address)),
};

/**
 * The account inside NEAR Intents that the key behind this address controls; its owner can withdraw credited fees from
 * it. Undefined where the address does not reveal a key. Most chains write a hash, and contracts have no key (also
 * Solana's program-derived accounts). A muxed Stellar address is a customer of the key's owner. An EVM or Tron contract
 * looks like a key, and money in its account would be lost. So ask merchants with a contract wallet for another
 * account.
 */
export function feeAccountOf(chain: Chain, address: string): string | undefined {
  const result = canonicalAddress(chain, address);
  return result.ok ? readByFamily[chain.family]?.(result.address) : undefined;
}

function accountOfKey(key: Uint8Array | undefined): string | undefined {
  return key && isEd25519Key(key) ? hexOf(key, '') : undefined;
}

function hexOf(bytes: Uint8Array | undefined, prefix: string): string | undefined {
  return bytes && prefix + Buffer.from(bytes).toString('hex');
}
