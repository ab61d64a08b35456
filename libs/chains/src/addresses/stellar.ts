import { decodeBase32 } from './codec/base32';
import { crc16 } from './codec/crc';
import { type AddressFormat, NOBODYS_ADDRESS, WRONG_CHECKSUM, accept, isAllZero, refuse } from './format';

// The version byte gives the first letter: G account, M account with an id inside (muxed), C contract, S secret key.
const PAYLOAD_LENGTH_BY_VERSION: Readonly<Record<number, number>> = {
  [6 << 3]: 32,
  [12 << 3]: 40,
  [2 << 3]: 32,
};

/** Stellar addresses (StrKey). One spelling each, so canonical is the text itself. */
export const stellarFormat: AddressFormat = {
  label: 'a Stellar',
  looksLike: /^(?:[GCS][A-Z2-7]{55}|M[A-Z2-7]{68})$/,
  shape: 'the address must start with G and have 56 characters',
  hasChecksum: true,
  read(text) {
    if (text.startsWith('S')) {
      return refuse('this looks like a secret key: never give it to anyone; the address starts with G');
    }
    const bytes = decodeBase32(text);
    const body = bytes?.subarray(0, -2);
    // The checksum is little-endian.
    if (!bytes || !body || crc16(body) !== (bytes.at(-2) ?? 0) + ((bytes.at(-1) ?? 0) << 8)) {
      return refuse(WRONG_CHECKSUM);
    }
    const key = body.subarray(1);
    if (PAYLOAD_LENGTH_BY_VERSION[body[0] ?? 0] !== key.length) {
      return refuse(stellarFormat.shape);
    }
    return isAllZero(key.subarray(0, 32)) ? refuse(NOBODYS_ADDRESS) : accept(text);
  },
};
