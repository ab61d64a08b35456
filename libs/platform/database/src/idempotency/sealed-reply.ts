import { decrypt, encrypt } from '@tollbridge/rpc';
import { hkdfSync } from 'node:crypto';

const info = 'tollbridge idempotency reply v1';

/**
 * Encrypts replies that contain secrets. The encryption key is derived from a secret of the service's
 * configuration and from the caller's idempotency key, which is not stored. Neither the database nor the
 * configuration alone can decrypt a reply. With both, an attacker must still guess the caller's key.
 */
export class ReplySeal {
  readonly #keys: readonly Buffer[];

  /**
   * @param secrets the first encrypts; all of them decrypt
   * @param row key of the database row; the reply cannot be decrypted in another row
   */
  constructor(
    secrets: readonly string[],
    idempotencyKey: string,
    private readonly row: Buffer,
  ) {
    this.#keys = secrets.map((secret) => Buffer.from(hkdfSync('sha256', secret, idempotencyKey, info, 32)));
  }

  seal(plain: Uint8Array): Buffer {
    return encrypt(this.#keys[0]!, this.row, plain);
  }

  /** @throws Error when the reply was encrypted under another key or for another row, or was changed */
  open(sealed: Buffer): Buffer {
    for (const key of this.#keys) {
      const opened = decrypt(key, this.row, sealed);
      if (opened) return opened;
    }
    throw new Error('the stored reply cannot be decrypted: its key, its row or its bytes differ');
  }
}
