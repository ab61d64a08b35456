import { bitcoinCashFormat } from './bitcoin-cash';
import { decodeBase58Check } from './codec/base58';
import {
  type AddressFormat,
  type AddressResult,
  unownedAddress,
  wrongChecksum,
  accept,
  isAllZero,
  reject,
} from './format';
import { readSegwit } from './segwit';
import { zcashFormat } from './zcash';

const hashLength = 20;

// Addresses that spell a message. Their hashes belong to no key.
const burnAddresses = new Set([
  '1BitcoinEaterAddressDontSendf59kuE',
  '1CounterpartyXXXXXXXXXXXXXXXUWLpVr',
  'DDogepartyxxxxxxxxxxxxxxxxxxw1dfzr',
]);

/** Decodes a base58check address: one version byte, which identifies the chain, and a 20-byte hash. */
function readHashAddress(text: string, versions: readonly number[]): AddressResult {
  const payload = decodeBase58Check(text);
  if (payload?.length !== 1 + hashLength || !versions.includes(payload[0] ?? -1)) {
    return reject(wrongChecksum);
  }
  return isAllZero(payload.subarray(1)) || burnAddresses.has(text) ? reject(unownedAddress) : accept(text);
}

const bitcoinFormat: AddressFormat = {
  label: 'a Bitcoin',
  looksLike: /^(?:[13][1-9A-HJ-NP-Za-km-z]{25,34}|bc1[0-9a-z]{6,71}|BC1[0-9A-Z]{6,71})$/,
  shape: 'the address must start with bc1, 1 or 3',
  hasChecksum: true,
  read: (text) => (/^bc1/i.test(text) ? readSegwit(text, 'bc') : readHashAddress(text, [0x00, 0x05])),
};

/**
 * Litecoin's old script addresses begin with 3 like Bitcoin's, and have the same bytes. Only the M form is unambiguous.
 */
const litecoinFormat: AddressFormat = {
  label: 'a Litecoin',
  looksLike: /^(?:[LM][1-9A-HJ-NP-Za-km-z]{25,34}|ltc1[0-9a-z]{6,71}|LTC1[0-9A-Z]{6,71})$/,
  shape: 'the address must start with ltc1, L or M',
  hasChecksum: true,
  read: (text) => (/^ltc1/i.test(text) ? readSegwit(text, 'ltc') : readHashAddress(text, [0x30, 0x32])),
};

const dogecoinFormat: AddressFormat = {
  label: 'a Dogecoin',
  looksLike: /^[D9A][1-9A-HJ-NP-Za-km-z]{25,34}$/,
  shape: 'the address must start with D, 9 or A and have 34 characters',
  hasChecksum: true,
  read: (text) => readHashAddress(text, [0x1e, 0x16]),
};

const dashFormat: AddressFormat = {
  label: 'a Dash',
  looksLike: /^[X7][1-9A-HJ-NP-Za-km-z]{25,34}$/,
  shape: 'the address must start with X or 7 and have 34 characters',
  hasChecksum: true,
  read: (text) => readHashAddress(text, [0x4c, 0x10]),
};

/** Formats by chain id. These chains share the family, but differ in version bytes and prefixes. */
export const utxoFormats: Readonly<Record<string, AddressFormat>> = {
  btc: bitcoinFormat,
  ltc: litecoinFormat,
  doge: dogecoinFormat,
  bch: bitcoinCashFormat,
  zec: zcashFormat,
  dash: dashFormat,
};
