import { base32nopad, utils } from '@scure/base';
import { attempt } from './codec/attempt';
import { crc16 } from './codec/crc';
import { type AddressFormat, unownedAddress, wrongChecksum, accept, isAllZero, reject } from './format';

// The version byte gives the first letter: G account, M account with an id inside (muxed), C contract, S secret key.
const payloadLengthByVersion: Readonly<Record<number, number>> = {
  [6 << 3]: 32,
  [12 << 3]: 40,
  [2 << 3]: 32,
};

// SEP-23: version byte and payload, a little-endian checksum, all of it in base 32. Own code, because
// @stellar/stellar-base takes 90 ms and 20 MB to load (measured on Node 20). That is more than all of this together.
const checksumLength = 2;
const strKey = utils.chain(
  utils.checksum(checksumLength, (body) => {
    const crc = crc16(body);
    return Uint8Array.of(crc & 0xff, crc >> 8);
  }),
  base32nopad,
);

/** Stellar addresses (StrKey). One spelling each, so canonical is the text itself. */
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

/** The ed25519 key of an account (G…); undefined for a muxed one or a contract. Only for canonical addresses. */
export function stellarAccountKey(address: string): Uint8Array | undefined {
  return address.startsWith('G') ? strKey.decode(address).subarray(1) : undefined;
}
