import { decodeXrpBase58Check, encodeXrpBase58Check } from './codec/base58';
import {
  type AddressFormat,
  type AddressResult,
  unownedAddress,
  wrongChecksum,
  accept,
  reject,
} from './format';

const classicPrefix = 0x00;
const mainXPrefix = Buffer.from([0x05, 0x44]);
const testXPrefix = Buffer.from([0x04, 0x93]);

// The account of the genesis ledger, which has a public passphrase.
const genesisAccount = 'rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh';

/**
 * XRP Ledger addresses. Canonical is the classic form. An X-address with a destination tag is kept, because without the
 * tag the money would reach the wrong customer of an exchange.
 */
export const xrpFormat: AddressFormat = {
  label: 'an XRP',
  looksLike: /^(?:r[1-9A-HJ-NP-Za-km-z]{24,34}|[XT][1-9A-HJ-NP-Za-km-z]{46})$/,
  shape: 'the address must start with r and have 25 to 35 characters, or start with X and have 47',
  hasChecksum: true,
  read(text, isTestnet) {
    const payload = decodeXrpBase58Check(text);
    if (!payload) {
      return reject(wrongChecksum);
    }
    if (text.startsWith('r')) {
      return payload.length === 21 && payload[0] === classicPrefix
        ? readAccount(payload.subarray(1), text)
        : reject(xrpFormat.shape);
    }
    return readXAddress(text, Buffer.from(payload), isTestnet);
  },
};

/** Returns the account and the tag of an X-address; undefined for a classic address. Only for canonical addresses. */
export function xAddressDestination(canonical: string): { address: string; memo: string } | undefined {
  const payload = canonical.startsWith('r') ? undefined : decodeXrpBase58Check(canonical);
  // A canonical X-address has a 32-bit tag.
  return (
    payload && {
      address: classicOf(payload.subarray(2, 22)),
      memo: Buffer.from(payload).readUInt32LE(23).toString(),
    }
  );
}

/** Layout: two bytes of network, twenty of account, one for the presence of a tag, eight of tag (little-endian). */
function readXAddress(text: string, payload: Buffer, isTestnet: boolean): AddressResult {
  const prefix = payload.subarray(0, 2);
  const isMain = prefix.equals(mainXPrefix);
  if (payload.length !== 31 || (!isMain && !prefix.equals(testXPrefix))) {
    return reject(xrpFormat.shape);
  }
  if (isMain === isTestnet) {
    return reject(
      isMain
        ? 'this address is for the XRP main network; the order is on the test network'
        : 'this address is for the XRP test network; the order is on the main network',
    );
  }
  const tagKind = payload.readUInt8(22);
  const tag = payload.readBigUInt64LE(23);
  // Kind 1 is a 32-bit tag, kind 0 means no tag. Other kinds are reserved.
  if (tagKind > 1 || tag > 0xffffffffn || (tagKind === 0 && tag !== 0n)) {
    return reject(
      'the destination tag inside this X-address cannot be read: give the classic address instead',
    );
  }
  return readAccount(payload.subarray(2, 22), tagKind === 1 ? text : undefined);
}

function readAccount(account: Uint8Array, spelling: string | undefined): AddressResult {
  const classic = classicOf(account);
  // Accounts with eight leading zero bytes have no key: ACCOUNT_ZERO, ACCOUNT_ONE, the NaN and the name reservation.
  const isMadeUp = account.subarray(0, 8).every((byte) => byte === 0);
  return isMadeUp || classic === genesisAccount ? reject(unownedAddress) : accept(spelling ?? classic);
}

function classicOf(account: Uint8Array): string {
  return encodeXrpBase58Check(Uint8Array.of(classicPrefix, ...account));
}
