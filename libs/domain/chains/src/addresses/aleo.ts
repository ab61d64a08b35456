import { bech32Payload } from './codec/bech32';
import { type AddressFormat, unownedAddress, wrongChecksum, accept, isAllZero, reject } from './format';

/** Aleo addresses: bech32m of 32 bytes, identical on the main and test networks. */
export const aleoFormat: AddressFormat = {
  label: 'an Aleo',
  looksLike: /^(?:aleo1[0-9a-z]{58}|ALEO1[0-9A-Z]{58})$/,
  shape: 'the address must start with aleo1 and have 63 characters',
  hasChecksum: true,
  read(text) {
    const account = bech32Payload(text, 'bech32m', 'aleo');
    if (account?.length !== 32) {
      return reject(wrongChecksum);
    }
    return isAllZero(account) ? reject(unownedAddress) : accept(text.toLowerCase());
  },
};
