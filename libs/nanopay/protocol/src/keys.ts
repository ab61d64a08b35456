import { createPrivateKey, createPublicKey, sign, verify, type KeyObject } from 'node:crypto';
import { ed25519 } from '@noble/curves/ed25519';

const publicHeader = Buffer.from('302a300506032b6570032100', 'hex');
const privateHeader = Buffer.from('302e020100300506032b657004220420', 'hex');

/** Converts 32 bytes to a key object of node:crypto. */
export const publicKeyOf = (bytes: Uint8Array): KeyObject =>
  createPublicKey({ key: Buffer.concat([publicHeader, bytes]), format: 'der', type: 'spki' });

export interface SigningKey {
  publicKey: Buffer;
  sign(digest: Uint8Array): Buffer;
}

/** @param seed the secret 32 bytes */
export function signingKey(seed: Uint8Array): SigningKey {
  const key = createPrivateKey({ key: Buffer.concat([privateHeader, seed]), format: 'der', type: 'pkcs8' });
  const publicKey = createPublicKey(key)
    .export({ format: 'der', type: 'spki' })
    .subarray(publicHeader.length);
  return { publicKey, sign: (digest) => sign(null, digest, key) };
}

/**
 * Verifies a signature. Use it only for keys that pass `isStrongKey`, because signatures of weak keys can be forged.
 */
export const isSignature = (digest: Uint8Array, signature: Uint8Array, key: KeyObject): boolean =>
  verify(null, digest, key, signature);

/**
 * Whether a public key is canonical, on the curve and in the subgroup of prime order. Takes about a millisecond, so
 * call it once per key.
 */
export function isStrongKey(bytes: Uint8Array): boolean {
  try {
    const point = ed25519.ExtendedPoint.fromHex(Buffer.from(bytes).toString('hex'), false);
    return !point.isSmallOrder() && point.isTorsionFree();
  } catch {
    return false;
  }
}
