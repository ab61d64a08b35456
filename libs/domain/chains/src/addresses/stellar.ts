import { base32nopad, utils } from '@scure/base';
import { attempt } from './codec/attempt';
import { crc16 } from './codec/crc';
import { type AddressFormat, unownedAddress, wrongChecksum, accept, isAllZero, reject } from './format';

// The version byte determines the first letter: G account, M account with an id (muxed), C contract, S secret key.
const payloadLengthByVersion: Readonly<Record<number, number>> = {
  [6 << 3]: 32,
  [12 << 3]: 40,
  [2 << 3]: 32,
};

// SEP-23: base 32 of version byte, payload and a little-endian checksum. No library is used, because
// @stellar/stellar-base needs 90 ms and 20 MB to load (measured on Node 20), more than all of this library.
const checksumLength = 2;
const strKey = utils.chain(
  utils.checksum(checksumLength, (body) => {
    const crc = crc16(body);
    return Uint8Array.of(crc & 0xff, crc >> 8);
  }),
  base32nopad,
);

/** Stellar addresses (StrKey). Each account has one spelling, so canonical is the text itself. */
export const stellarFormat: AddressFormat = {
  label: 'a Stellar',
  looksLike: /^(?:[GCS][A-Z2-7]{55}|M[A-Z2-7]{68})$/,
  shape: 'the address must start with G and have 56 characters',
  hasChecksum: true,
  read(text) {
    if (text.startsWith('S')) {
      return reject('this looks like a secret key: never give it to anyone; the address starts with G');
    }
    const body = attempt(() => strKey.decode(text));
    if (!body) {
      return reject(wrongChecksum);
    }
    const key = body.subarray(1);
    if (payloadLengthByVersion[body[0] ?? 0] !== key.length) {
      return reject(stellarFormat.shape);
    }
    return isAllZero(key.subarray(0, 32)) ? reject(unownedAddress) : accept(text);
  },
};

/**
 * Returns the ed25519 key of an account (G…); undefined for a muxed account or a contract. Only for canonical
 * addresses.
 */
export function stellarAccountKey(address: string): Uint8Array | undefined {
  return address.startsWith('G') ? strKey.decode(address).subarray(1) : undefined;
}
