import { Inject, Injectable } from '@nestjs/common';
import { decrypt, encrypt } from '@tollbridge/rpc';
import { hkdfSync, randomBytes } from 'node:crypto';
import { Peppers } from '../peppers/peppers';

// Standard Webhooks asks for 24 to 64.
const secretBytes = 32;

/**
 * Seals signing secrets by AES-256-GCM under a key derived from the pepper, which is not in the database. The wallet is
 * authenticated data: a secret cannot be opened in another row.
 */
@Injectable()
export class WebhookSecrets {
  /** The first seals; what any of them sealed is opened. */
  readonly #keys: readonly Buffer[];

  constructor(@Inject(Peppers) peppers: Pick<Peppers, 'values'>) {
    this.#keys = peppers.values.map((pepper) =>
      Buffer.from(hkdfSync('sha256', pepper, '', 'tollbridge webhook secrets, version 1', 32)),
    );
  }

  /** A new secret, as Standard Webhooks writes it. */
  create(): string {
    return `whsec_${randomBytes(secretBytes).toString('base64')}`;
  }

  seal(secret: string, wallet: string): Buffer {
    return encrypt(this.#keys[0]!, Buffer.from(wallet), Buffer.from(secret));
  }

  /** Undefined unless it was sealed for this wallet under one of the peppers. */
  open(sealed: Buffer, wallet: string): string | undefined {
    for (const key of this.#keys) {
      const opened = decrypt(key, Buffer.from(wallet), sealed);
      if (opened) return opened.toString();
    }
    return undefined;
  }
}
