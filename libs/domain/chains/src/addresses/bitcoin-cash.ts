import { decodeCashaddr, encodeCashaddr } from './codec/cashaddr';
import { type AddressFormat, unownedAddress, wrongChecksum, accept, isAllZero, reject } from './format';

const prefix = 'bitcoincash';

// Version byte: bits 3 to 6 are the kind, bits 0 to 2 the hash size. Kinds 2 and 3 mark kinds 0 and 1 of a wallet that
// supports tokens, so they identify the same account.
const keyHash = 0;
const scriptHash = 1;
const sameAccountKind: Readonly<Record<number, number>> = {
  [keyHash]: keyHash,
  [scriptHash]: scriptHash,
  2: keyHash,
  3: scriptHash,
};
const lengthBySize: Readonly<Record<number, number>> = { 0: 20, 3: 32 };

/**
 * Bitcoin Cash addresses: cashaddr with or without its prefix; canonical has the prefix, in lower case. The old form
 * that begins with 1 or 3 is rejected. It is a Bitcoin address too, so the intended chain is unknown.
 */
export const bitcoinCashFormat: AddressFormat = {
  label: 'a Bitcoin Cash',
  looksLike: /^(?:(?:bitcoincash:)?[qprz][0-9a-z]{41,60}|(?:BITCOINCASH:)?[QPRZ][0-9A-Z]{41,60})$/,
  shape:
    'the address must have the form bitcoincash:q… with 42 characters after the colon; the old form that starts with 1 or 3 could be meant for Bitcoin',
  hasChecksum: true,
  read(text) {
    const body = text.toLowerCase().replace(`${prefix}:`, '');
    const payload = decodeCashaddr(prefix, body);
    const version = payload?.[0] ?? 0;
    const hash = payload?.subarray(1);
    if (!hash) {
      return reject(wrongChecksum);
    }
    const kind = sameAccountKind[version >> 3];
    const size = version & 7;
    const isKnown = lengthBySize[size] === hash.length && (size === 0 || kind === scriptHash);
    if (kind === undefined || !isKnown) {
      return reject('this kind of Bitcoin Cash address is unknown: ask for another address');
    }
    if (isAllZero(hash)) {
      return reject(unownedAddress);
    }
    const plain = Uint8Array.of((kind << 3) | size, ...hash);
    return accept(`${prefix}:${encodeCashaddr(prefix, plain)}`);
  },
};
