import { Inject, Injectable } from '@nestjs/common';
import { decrypt, encrypt } from '@tollbridge/rpc';
import { hkdfSync, randomBytes } from 'node:crypto';
import { Peppers } from '../peppers/peppers';

// Standard Webhooks requires 24 to 64 bytes.
const secretBytes = 32;

/**
 * Encrypts signing secrets with AES-256-GCM. The key is derived from the pepper, which is not in the database. The
 * wallet is authenticated data, so a secret cannot be decrypted in another row.
 */
@Injectable()
export class WebhookSecrets {
  /** The first key encrypts. Each key decrypts the secrets that it has encrypted. */
  readonly #keys: readonly Buffer[];

  constructor(@Inject(Peppers) peppers: Pick<Peppers, 'values'>) {
    this.#keys = peppers.values.map((pepper) =>
      Buffer.from(hkdfSync('sha256', pepper, '', 'tollbridge webhook secrets, version 1', 32)),
    );
  }

  /** A new secret in the format of Standard Webhooks. */
  create(): string {
    return `whsec_${randomBytes(secretBytes).toString('base64')}`;
  }

  seal(secret: string, wallet: string): Buffer {
    return encrypt(this.#keys[0]!, Buffer.from(wallet), Buffer.from(secret));
  }

  /** The decrypted secret; undefined when it belongs to another wallet or to none of the peppers. */
  open(sealed: Buffer, wallet: string): string | undefined {
    for (const key of this.#keys) {
      const opened = decrypt(key, Buffer.from(wallet), sealed);
      if (opened) return opened.toString();
    }
    return undefined;
  }
}
