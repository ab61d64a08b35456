import { decodeBase58Check } from './codec/base58';
import { type AddressFormat, UNOWNED_ADDRESS, WRONG_CHECKSUM, accept, isAllZero, reject } from './format';

const ADDRESS_PREFIX = 0x41;

// The black hole of the genesis block.
const BLACK_HOLE = 'TLsV52sRDL79HXGGm9yzwKibb6BeruhUzy';

/** Tron addresses in base58check. The hexadecimal form 41… of its nodes has no checksum and is rejected. */
export const tronFormat: AddressFormat = {
  label: 'a Tron',
  looksLike: /^T[1-9A-HJ-NP-Za-km-z]{33}$/,
  shape: 'the address must start with T and have 34 characters',
  hasChecksum: true,
  read(text) {
    const payload = decodeBase58Check(text);
    if (payload?.length !== 21 || payload[0] !== ADDRESS_PREFIX) {
      return reject(WRONG_CHECKSUM);
    }
    return isAllZero(payload.subarray(1)) || text === BLACK_HOLE ? reject(UNOWNED_ADDRESS) : accept(text);
  },
};
