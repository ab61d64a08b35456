import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

const algorithm = 'aes-256-gcm';
const nonceBytes = 12;
const tagBytes = 16;
const info = 'tollbridge idempotency reply v1';

/**
 * Seals replies that hold secrets. The key comes from a secret of the service's configuration and from the caller's
 * idempotency key, which is stored nowhere: neither the database nor the configuration opens a reply, and both together
 * only for an attacker that guesses the caller's key.
 */
export class ReplySeal {
  readonly #key: Buffer;

  /** @param row that the reply belongs to: it cannot be opened in another row */
  constructor(
    secret: string,
    idempotencyKey: string,
    private readonly row: Buffer,
  ) {
    this.#key = Buffer.from(hkdfSync('sha256', secret, idempotencyKey, info, 32));
  }

  seal(plain: Uint8Array): Buffer {
    const nonce = randomBytes(nonceBytes);
    const cipher = createCipheriv(algorithm, this.#key, nonce).setAAD(this.row);
    const sealed = Buffer.concat([cipher.update(plain), cipher.final()]);
    return Buffer.concat([nonce, cipher.getAuthTag(), sealed]);
  }

  /** @throws when it was sealed under another key or for another row, or was changed. */
  open(sealed: Buffer): Buffer {
    const nonce = sealed.subarray(0, nonceBytes);
    const tag = sealed.subarray(nonceBytes, nonceBytes + tagBytes);
    const options = { authTagLength: tagBytes };
    const decipher = createDecipheriv(algorithm, this.#key, nonce, options).setAAD(this.row).setAuthTag(tag);
    return Buffer.concat([decipher.update(sealed.subarray(nonceBytes + tagBytes)), decipher.final()]);
  }
}
