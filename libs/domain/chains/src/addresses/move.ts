import { type AddressFormat, unownedAddress, accept, reject } from './format';

// Framework packages and system objects have small addresses.
const firstAccount = 0x10000n;

/**
 * Sui and Aptos addresses: 32 bytes in hexadecimal, without a checksum. All 64 digits are required, so that a truncated
 * address is not read as a short one. Canonical is lower case.
 */
export const moveFormat: AddressFormat = {
  // A Starknet address with all its digits has the same form.
  label: 'a Sui, Aptos or Starknet',
  looksLike: /^0x[0-9a-fA-F]{64}$/,
  shape: 'the address must be 0x and 64 hexadecimal digits',
  hasChecksum: false,
  read(text) {
    return BigInt(text) < firstAccount ? reject(unownedAddress) : accept(text.toLowerCase());
  },
};
