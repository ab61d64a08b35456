import { createCipheriv, createDecipheriv, randomBytes, type KeyObject } from 'node:crypto';

const algorithm = 'aes-256-gcm';
const nonceLength = 12;
const tagLength = 16;

/** Encrypts a body: nonce, ciphertext, tag. The `context` is authenticated, and not a part of the result. */
export function encryptBody(key: KeyObject, context: string, body: Uint8Array): Buffer {
  const nonce = randomBytes(nonceLength);
  const cipher = createCipheriv(algorithm, key, nonce).setAAD(Buffer.from(context));
  return Buffer.concat([nonce, cipher.update(body), cipher.final(), cipher.getAuthTag()]);
}

/** Undefined when it was encrypted under another key or for another context, or was altered. */
export function decryptBody(key: KeyObject, context: string, sealed: Uint8Array): Buffer | undefined {
  if (sealed.length < nonceLength + tagLength) return undefined;
  const decipher = createDecipheriv(algorithm, key, sealed.subarray(0, nonceLength), {
    authTagLength: tagLength,
  })
    .setAAD(Buffer.from(context))
    .setAuthTag(sealed.subarray(-tagLength));
  const body = decipher.update(sealed.subarray(nonceLength, -tagLength));
  try {
    return Buffer.concat([body, decipher.final()]);
  } catch {
    return undefined;
  }
}
