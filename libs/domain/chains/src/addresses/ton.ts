import { crc16 } from './codec/crc';
import { type AddressFormat, unownedAddress, wrongChecksum, accept, isAllZero, reject } from './format';

const bounceable = 0x11;
const nonBounceable = 0x51;
const testOnly = 0x80;

// Basechain and masterchain, the only workchains.
const workchains = [0, -1];

const rawForm = /^(0|-1):([0-9a-fA-F]{64})$/;

// No library is used, because @ton/core needs 50 ms and 12 MB to load (measured on Node 20). The tests compare the
// results.

/**
 * TON addresses: raw, bounceable and non-bounceable forms of one account. Canonical is the non-bounceable form. A
 * transfer to it reaches an unused wallet, while a transfer to the bounceable form would be returned.
 */
export const tonFormat: AddressFormat = {
  label: 'a TON',
  looksLike: /^(?:[A-Za-z0-9_-]{48}|[A-Za-z0-9+/]{48}|-?\d+:[0-9a-fA-F]{64})$/,
  shape:
    'the address must have 48 characters and start with UQ or EQ, or have the raw form 0: and 64 hexadecimal digits',
  hasChecksum: true,
  read(text, isTestnet) {
    if (text.includes(':')) {
      const [, workchain, hash] = rawForm.exec(text) ?? [];
      return hash === undefined
        ? reject('the number before the colon must be 0 or -1: TON has no other workchains')
        : canonical(Number(workchain), Buffer.from(hash, 'hex'), isTestnet);
    }
    const bytes = Buffer.from(text, 'base64');
    if (bytes.readUInt16BE(34) !== crc16(bytes.subarray(0, 34))) {
      return reject(wrongChecksum);
    }
    const tag = bytes.readUInt8(0);
    const isTestOnly = (tag & testOnly) !== 0;
    const workchain = bytes.readInt8(1);
    if (![bounceable, nonBounceable].includes(tag & ~testOnly) || !workchains.includes(workchain)) {
      return reject('this is not a TON account address: its first two bytes are unknown');
    }
    if (isTestOnly !== isTestnet) {
      return reject(
        isTestOnly
          ? 'this address is for the TON test network; the order is on the main network'
          : 'this address is for the TON main network; the order is on the test network',
      );
    }
    return canonical(workchain, bytes.subarray(2, 34), isTestnet);
  },
};

function canonical(workchain: number, hash: Uint8Array, isTestnet: boolean) {
  return isAllZero(hash) ? reject(unownedAddress) : accept(nonBounceableAddress(workchain, hash, isTestnet));
}

/** Returns the canonical form of an account. @param hash 32 bytes */
export function nonBounceableAddress(workchain: number, hash: Uint8Array, isTestnet: boolean): string {
  const bytes = Buffer.alloc(36);
  bytes.writeUInt8(nonBounceable | (isTestnet ? testOnly : 0), 0);
  bytes.writeInt8(workchain, 1);
  bytes.set(hash, 2);
  bytes.writeUInt16BE(crc16(bytes.subarray(0, 34)), 34);
  return bytes.toString('base64url');
}
