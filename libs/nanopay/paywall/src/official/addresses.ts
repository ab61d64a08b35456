import { keccak_256 } from '@noble/hashes/sha3';
import { base58Bytes } from '../base58-bytes';

const evmForm = /^0x[0-9a-fA-F]{40}$/;

/** Whether the text is a non-zero address of this network. Mixed-case EVM addresses must have a valid checksum. */
export function isAddressOf(network: string, address: string): boolean {
  if (network.startsWith('solana:')) return isSolanaAddress(address);
  if (!evmForm.test(address) || /^0x0+$/.test(address)) return false;
  const digits = address.slice(2);
  const hasOneCase = digits === digits.toLowerCase() || digits === digits.toUpperCase();
  return hasOneCase || address === checksummed(digits.toLowerCase());
}

/** Returns the canonical form of an address for comparisons on its network. */
export const canonicalAddress = (network: string, address: string): string =>
  network.startsWith('eip155:') ? address.toLowerCase() : address;

/** Returns an address with its EIP-55 checksum. */
function checksummed(digits: string): string {
  const hash = Buffer.from(keccak_256(Buffer.from(digits, 'ascii'))).toString('hex');
  const cased = [...digits].map((digit, at) => (hash[at]! >= '8' ? digit.toUpperCase() : digit));
  return `0x${cased.join('')}`;
}

/** Rejects the address of 32 zero bytes, which belongs to a program. */
const isSolanaAddress = (address: string): boolean =>
  base58Bytes(address, 32)?.some((byte) => byte !== 0) ?? false;
