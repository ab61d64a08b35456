import { decrypt, encrypt } from '@tollbridge/rpc';
import { hkdfSync } from 'node:crypto';

const info = 'tollbridge idempotency reply v1';

/**
 * Seals replies that hold secrets. The key comes from a secret of the service's configuration and from the caller's
 * idempotency key, which is stored nowhere. So neither the database nor the configuration opens a reply. Both together
 * open it only for an attacker that guesses the caller's key.
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
    return encrypt(this.#keys[0]!, this.row, plain);
  }

  /** @throws when it was sealed under another key or for another row, or was changed. */
  open(sealed: Buffer): Buffer {
    for (const key of this.#keys) {
      const opened = decrypt(key, this.row, sealed);
      if (opened) return opened;
    }
    throw new Error('the stored reply cannot be decrypted: its key, its row or its bytes differ');
  }
}
