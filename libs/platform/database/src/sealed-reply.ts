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
  readonly #keys: readonly Buffer[];

  /**
   * @param secrets the first seals, replies under any of them are opened
   * @param row that the reply belongs to: it cannot be opened in another row
   */
  constructor(
    secrets: readonly string[],
    idempotencyKey: string,
    private readonly row: Buffer,
  ) {
    this.#keys = secrets.map((secret) => Buffer.from(hkdfSync('sha256', secret, idempotencyKey, info, 32)));
  }

  seal(plain: Uint8Array): Buffer {
    const nonce = randomBytes(nonceBytes);
    const cipher = createCipheriv(algorithm, this.#keys[0]!, nonce).setAAD(this.row);
    const sealed = Buffer.concat([cipher.update(plain), cipher.final()]);
    return Buffer.concat([nonce, cipher.getAuthTag(), sealed]);
  }

  /** @throws when it was sealed under another key or for another row, or was changed. */
  open(sealed: Buffer): Buffer {
    let failure: unknown;
    for (const key of this.#keys) {
      try {
        return this.openUnder(key, sealed);
      } catch (error) {
        failure = error;
      }
    }
    throw failure;
  }

  private openUnder(key: Buffer, sealed: Buffer): Buffer {
    const nonce = sealed.subarray(0, nonceBytes);
    const tag = sealed.subarray(nonceBytes, nonceBytes + tagBytes);
    const options = { authTagLength: tagBytes };
    const decipher = createDecipheriv(algorithm, key, nonce, options).setAAD(this.row).setAuthTag(tag);
    return Buffer.concat([decipher.update(sealed.subarray(nonceBytes + tagBytes)), decipher.final()]);
  }
}
