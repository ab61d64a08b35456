import { bech32Payload } from './codec/bech32';
import {
  type AddressFormat,
  type AddressResult,
  unownedAddress,
  wrongChecksum,
  accept,
  isAllZero,
  reject,
} from './format';
import { readByronAddress } from './cardano-byron';

const mainNetworkId = 1;
const testNetworkId = 0;

// CIP-19: the high digit of the header byte. Types 0 to 3 contain payment and stake keys, 6 and 7 only a payment key.
const lengthByType: Readonly<Record<number, number>> = { 0: 57, 1: 57, 2: 57, 3: 57, 6: 29, 7: 29 };

/** Cardano addresses: Shelley in bech32, and the older Byron form in base58. */
export const cardanoFormat: AddressFormat = {
  label: 'a Cardano',
  looksLike:
    /^(?:(?:addr|stake)(?:_test)?1[0-9a-z]{20,150}|ADDR(?:_TEST)?1[0-9A-Z]{20,150}|(?:Ae2|DdzFF|2cWKM|37bt)[1-9A-HJ-NP-Za-km-z]{50,120})$/,
  shape: 'the address must start with addr1 and have 58 or 103 characters',
  hasChecksum: true,
  read(text, isTestnet) {
    const lower = text.toLowerCase();
    if (lower.startsWith('stake')) {
      return reject('this is a stake address, which takes no payments: give the one that starts with addr');
    }
    return lower.startsWith('addr') ? readShelley(lower, text, isTestnet) : readByronAddress(text, isTestnet);
  },
};

function readShelley(lower: string, text: string, isTestnet: boolean): AddressResult {
  const isTestPrefix = lower.startsWith('addr_test');
  if (isTestPrefix !== isTestnet) {
    return reject(
      isTestPrefix
        ? 'this address is for a Cardano test network; the order is on the main network'
        : 'this address is for the Cardano main network; the order is on a test network',
    );
  }
  const bytes = bech32Payload(text, 'bech32', isTestPrefix ? 'addr_test' : 'addr');
  if (!bytes) {
    return reject(wrongChecksum);
  }
  const header = bytes[0] ?? 0;
  if ((header & 0x0f) !== (isTestnet ? testNetworkId : mainNetworkId)) {
    return reject('the network inside this address contradicts its beginning: ask for it again');
  }
  if (lengthByType[header >> 4] !== bytes.length) {
    return reject('this kind of Cardano address takes no payments here: give one with 58 or 103 characters');
  }
  return isAllZero(bytes.subarray(1, 29)) ? reject(unownedAddress) : accept(lower);
}
