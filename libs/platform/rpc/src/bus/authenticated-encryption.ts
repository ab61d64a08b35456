import { createCipheriv, createDecipheriv, type CipherKey } from 'node:crypto';
import { publicRandomBytes } from '../random-bytes';

const algorithm = 'aes-256-gcm';
const nonceLength = 12;
const tagLength = 16;
const headLength = nonceLength + tagLength;

/** Encrypts with AES-256-GCM: nonce, tag, ciphertext. The `context` is authenticated, but not part of the result. */
export function encrypt(key: CipherKey, context: Uint8Array, plain: Uint8Array): Buffer {
  const nonce = publicRandomBytes(nonceLength);
  const cipher = createCipheriv(algorithm, key, nonce).setAAD(context);
  const encrypted = Buffer.concat([cipher.update(plain), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), encrypted]);
}

/** Decrypts. @returns undefined if the key or the context differs, or the data was changed */
export function decrypt(key: CipherKey, context: Uint8Array, sealed: Uint8Array): Buffer | undefined {
  if (sealed.length < headLength) return undefined;
  const options = { authTagLength: tagLength };
  const decipher = createDecipheriv(algorithm, key, sealed.subarray(0, nonceLength), options)
    .setAAD(context)
    .setAuthTag(sealed.subarray(nonceLength, headLength));
  const plain = decipher.update(sealed.subarray(headLength));
  try {
    return Buffer.concat([plain, decipher.final()]);
  } catch {
    return undefined;
  }
}
