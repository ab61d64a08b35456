import { decodeBase58Check } from './codec/base58';
import { type AddressFormat, unownedAddress, wrongChecksum, accept, isAllZero, reject } from './format';

const addressPrefix = 0x41;

// The black hole address of the genesis block.
const blackHole = 'TLsV52sRDL79HXGGm9yzwKibb6BeruhUzy';

/** Tron addresses in base58check. The hexadecimal form (41…) is rejected, because it has no checksum. */
export const tronFormat: AddressFormat = {
  label: 'a Tron',
  looksLike: /^T[1-9A-HJ-NP-Za-km-z]{33}$/,
  shape: 'the address must start with T and have 34 characters',
  hasChecksum: true,
  read(text) {
    const payload = decodeBase58Check(text);
    if (payload?.length !== 21 || payload[0] !== addressPrefix) {
      return reject(wrongChecksum);
    }
    return isAllZero(payload.subarray(1)) || text === blackHole ? reject(unownedAddress) : accept(text);
  },
};
