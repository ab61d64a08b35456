import { concat, dataSlice, decodeBase58, encodeBase58, getAddress, sha256, toBeHex } from 'ethers';

/** The first byte of every Tron address. Contracts and logs omit it and use only the 20 bytes after it. */
const prefix = '0x41';
/** The address that Tron uses for no address. */
export const tronZeroAddress = 'T9yD14Nj9j7xAB4dbGeiX9h8unkKHxuWwb';

const base58Form = /^T[1-9A-HJ-NP-Za-km-z]{33}$/;
const hexForm = /^41[0-9a-f]{40}$/i;
const addressBytes = 25;
const checkedBytes = 21;

/**
 * Converts a base58 address to the 20 bytes that contracts use, with the checksum of EVM chains.
 * @throws Error for any other text
 */
export function tronToEvmAddress(address: string): string {
  const bytes = base58Form.test(address) ? toBeHex(decodeBase58(address), addressBytes) : '0x';
  if (
    bytes === '0x' ||
    dataSlice(bytes, 0, 1) !== prefix ||
    checksum(dataSlice(bytes, 0, 21)) !== dataSlice(bytes, 21)
  )
    throw new Error(`${JSON.stringify(address)} is not a Tron address in base58`);
  return getAddress(dataSlice(bytes, 1, checkedBytes));
}

/**
 * Converts 20 bytes to a base58 address.
 * @throws Error for any other text
 */
export function evmToTronAddress(address: string): string {
  const payload = concat([prefix, getAddress(address)]);
  return encodeBase58(concat([payload, checksum(payload)]));
}

/**
 * Converts a base58 address to the form of the nodes' interface: `41` and 40 lower-case digits.
 * @throws Error for a malformed base58 address
 */
export const tronToHexAddress = (address: string): string =>
  `41${tronToEvmAddress(address).slice(2).toLowerCase()}`;

/**
 * Converts an address from the form of the nodes' interface to base58.
 * @throws Error for any other text
 */
export function hexToTronAddress(hex: string): string {
  if (!hexForm.test(hex)) throw new Error(`${JSON.stringify(hex)} is not a Tron address in hex`);
  return evmToTronAddress(`0x${hex.slice(2).toLowerCase()}`);
}

const checksum = (payload: string): string => dataSlice(sha256(sha256(payload)), 0, 4);
