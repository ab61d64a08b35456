import { createPublicKey, verify } from 'node:crypto';

// DER prefix of an Ed25519 public key in SubjectPublicKeyInfo, before its 32 bytes.
const keyHeader = Buffer.from('302a300506032b6570032100', 'hex');

// Encodings of points of small order, without their sign bit. Anyone can forge signatures for such a "key", and no
// wallet uses one.
const smallOrder = new Set([
  '0000000000000000000000000000000000000000000000000000000000000000',
  '0100000000000000000000000000000000000000000000000000000000000000',
  '26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05',
  'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a',
  'ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
  'edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
  'eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
]);

export function isEd25519Signature(message: Uint8Array, signature: Uint8Array, key: Uint8Array): boolean {
  if (key.length !== 32 || signature.length !== 64) return false;
  const unsigned = Buffer.from(key);
  unsigned[31]! &= 0x7f;
  if (smallOrder.has(unsigned.toString('hex'))) return false;
  const publicKey = createPublicKey({
    key: Buffer.concat([keyHeader, key]),
    format: 'der',
    type: 'spki',
  });
  return verify(null, message, publicKey, signature);
}
