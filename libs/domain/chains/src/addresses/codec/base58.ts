import { base58, base58xrp, createBase58check, utils } from '@scure/base';
import { createHash } from 'node:crypto';
import { attempt } from './attempt';

// @scure/base stays at 1.2.6. Later versions are only ES modules, and neither jest nor a CommonJS build on Node below
// 20.19 can load them.

const checksumLength = 4;

const base58Check = createBase58check(sha256);
const base58XrpCheck = utils.chain(
  utils.checksum(checksumLength, (payload) => sha256(sha256(payload))),
  base58xrp,
);

/** Decodes base58; undefined for a text with a foreign character. The time is quadratic, so limit the length first. */
export function decodeBase58(text: string): Uint8Array | undefined {
  return attempt(() => base58.decode(text));
}

/** Returns the payload of a base58check text; undefined if a character or the checksum is wrong. */
export function decodeBase58Check(text: string): Uint8Array | undefined {
  return attempt(() => base58Check.decode(text));
}

export const encodeBase58 = (bytes: Uint8Array): string => base58.encode(bytes);

export const encodeBase58Check = (payload: Uint8Array): string => base58Check.encode(payload);

/** Decodes base58check in the alphabet of the XRP Ledger. */
export function decodeXrpBase58Check(text: string): Uint8Array | undefined {
  return attempt(() => base58XrpCheck.decode(text));
}

export function encodeXrpBase58Check(payload: Uint8Array): string {
  return base58XrpCheck.encode(payload);
}

function sha256(bytes: Uint8Array): Uint8Array {
  return createHash('sha256').update(bytes).digest();
}
