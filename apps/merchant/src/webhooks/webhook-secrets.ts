import { Inject, Injectable } from '@nestjs/common';
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import { Peppers } from '../peppers/peppers';

// Standard Webhooks asks for 24 to 64.
const secretBytes = 32;
const ivBytes = 12;
const tagBytes = 16;

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
    const iv = randomBytes(ivBytes);
    const cipher = createCipheriv('aes-256-gcm', this.#keys[0]!, iv).setAAD(Buffer.from(wallet));
    const sealed = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()]);
    return Buffer.concat([iv, cipher.getAuthTag(), sealed]);
  }

  /** Undefined unless it was sealed for this wallet under one of the peppers. */
  open(sealed: Buffer, wallet: string): string | undefined {
    for (const key of this.#keys) {
      const opened = openUnder(key, sealed, wallet);
      if (opened !== undefined) return opened;
    }
    return undefined;
  }
}

function openUnder(key: Buffer, sealed: Buffer, wallet: string): string | undefined {
  try {
    const [iv, rest] = [sealed.subarray(0, ivBytes), sealed.subarray(ivBytes)];
    const decipher = createDecipheriv('aes-256-gcm', key, iv, { authTagLength: tagBytes });
    decipher.setAAD(Buffer.from(wallet)).setAuthTag(rest.subarray(0, tagBytes));
    return Buffer.concat([decipher.update(rest.subarray(tagBytes)), decipher.final()]).toString('utf8');
  } catch {
    return undefined;
  }
}
