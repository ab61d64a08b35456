import { Inject, Injectable } from '@nestjs/common';
import { digestOfKey } from '@tollbridge/api-keys';
import { ServiceConfig } from '@tollbridge/bootstrap';
import { createHmac } from 'node:crypto';
import type { MerchantConfig } from '../config';

/**
 * HMAC-SHA256 under the pepper, of the secret's SHA-256 rather than of the secret itself: so the gateway never sends
 * secrets. Without the pepper a copy of the database does not allow a secret to be verified.
 */
@Injectable()
export class SecretHash {
  readonly #pepper: string;

  constructor(@Inject(ServiceConfig) config: Pick<MerchantConfig, 'MERCHANT_KEY_PEPPER'>) {
    this.#pepper = config.MERCHANT_KEY_PEPPER;
  }

  of(secret: string): Buffer {
    return this.ofDigest(digestOfKey(secret));
  }

  /** @param digest as `digestOfKey` gives it. */
  ofDigest(digest: string): Buffer {
    return createHmac('sha256', this.#pepper).update(digest, 'hex').digest();
  }
}
