import { decodeBase58Check } from './codec/base58';
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

// Transparent addresses of the main network: t1 (key) and t3 (script).
const transparentPrefixes = [0x1cb8, 0x1cbd];

/**
 * Zcash addresses: transparent (t1, t3), transparent for exchanges only (tex1), Sapling (zs1) and unified (u1, at least
 * 48 bytes long by ZIP 316). The number of characters determines the number of bytes.
 */
export const zcashFormat: AddressFormat = {
  label: 'a Zcash',
  looksLike: /^(?:t[13][1-9A-HJ-NP-Za-km-z]{33}|tex1[0-9a-z]{38}|zs1[0-9a-z]{75}|u1[0-9a-z]{83,250})$/,
  shape: 'the address must start with t1, t3, tex1, zs1 or u1',
  hasChecksum: true,
  read(text) {
    if (/^t[13]/.test(text)) {
      return readTransparent(text);
    }
    if (text.startsWith('tex1')) {
      return checkPayload(text, bech32Payload(text, 'bech32m', 'tex'));
    }
    if (text.startsWith('zs1')) {
      return checkPayload(text, bech32Payload(text, 'bech32', 'zs'));
    }
    // The receivers are scrambled over the whole length. The checksum already detects typing mistakes.
    return checkPayload(text, bech32Payload(text, 'bech32m', 'u'));
  },
};

function readTransparent(text: string): AddressResult {
  const payload = decodeBase58Check(text) ?? new Uint8Array();
  const prefix = ((payload[0] ?? 0) << 8) | (payload[1] ?? 0);
  return checkPayload(text, transparentPrefixes.includes(prefix) ? payload.subarray(2) : undefined);
}

function checkPayload(text: string, payload: Uint8Array | undefined): AddressResult {
  if (!payload) {
    return reject(wrongChecksum);
  }
  return isAllZero(payload) ? reject(unownedAddress) : accept(text);
}
