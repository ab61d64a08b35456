import { getBytes, keccak256, toBeHex } from 'ethers';
import { type AddressFormat, unownedAddress, wrongChecksum, accept, reject } from './format';

// 0 to 2 belong to the system, and a key cannot have an address this low.
const firstAccount = 0x10000n;

// Contract addresses are below 2^251 - 256.
const bound = 2n ** 251n - 256n;

/** Starknet addresses: numbers that may lack leading zeros. Canonical is lower case with 64 digits. */
export const starknetFormat: AddressFormat = {
  label: 'a Starknet',
  // Wallets omit leading zeros. More than nine are so unlikely that the text is probably truncated.
  looksLike: /^0x[0-9a-fA-F]{55,64}$/,
  shape: 'the address must be 0x and 63 or 64 hexadecimal digits',
  hasChecksum: true,
  read(text) {
    const account = BigInt(text);
    if (account < firstAccount) {
      return reject(unownedAddress);
    }
    if (account >= bound) {
      return reject('the number is too large for a Starknet address: check for extra digits');
    }
    const digits = text.slice(2).padStart(64, '0');
    const isOneCase = digits === digits.toLowerCase() || digits === digits.toUpperCase();
    return isOneCase || digits === checksummedDigits(account)
      ? accept(`0x${digits.toLowerCase()}`)
      : reject(wrongChecksum);
  },
};

/**
 * Applies the rule of EIP-55 with the hash of the number's bytes: a letter is upper case if the hash digit is above 7.
 */
function checksummedDigits(account: bigint): string {
  const hash = keccak256(getBytes(toBeHex(account))).slice(2);
  const digits = account.toString(16).padStart(64, '0');
  return Array.from(digits, (digit, i) =>
    parseInt(hash.charAt(i), 16) > 7 ? digit.toUpperCase() : digit,
  ).join('');
}
