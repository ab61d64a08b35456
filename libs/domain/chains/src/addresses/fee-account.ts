import type { Chain, ChainFamily } from '../registry/chain';
import { canonicalAddress } from './canonical';
import { decodeBase58, decodeBase58Check } from './codec/base58';
import { isEd25519Key } from './codec/ed25519';
import { stellarAccountKey } from './stellar';

type ReadAccount = (canonical: string) => string | undefined;

// Follows authHandleToIntentsUserId (defuse-protocol/sdk-monorepo at 7abab52,
// packages/internal-utils/src/utils/authIdentity.ts) and the contract. The account of a secp256k1 key is 0x and the
// last 20 bytes of its keccak, as in EVM and Tron addresses. The account of an ed25519 key is its 64 hexadecimal
// digits.
const readByFamily: Readonly<Partial<Record<ChainFamily, ReadAccount>>> = {
  evm: (address) => address.toLowerCase(),
  tron: (address) => hexOf(decodeBase58Check(address)?.subarray(1), '0x'),
  near: (address) => address,
  solana: (address) => accountOfKey(decodeBase58(address)),
  stellar: (address) => accountOfKey(stellarAccountKey(address)),
};

/**
 * Returns the NEAR Intents account that the key of this address controls. The key's owner can withdraw credited fees
 * from it. Undefined if the address does not reveal a key. Most chains write a hash, and contracts have no key (also
 * Solana's program-derived accounts). A muxed Stellar address identifies a customer of the key's owner.
 *
 * An EVM or Tron contract looks like a key, and money in its account would be lost. Ask merchants with a contract
 * wallet for another account.
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
