import { Injectable } from '@nestjs/common';
import { digestOfKey } from '@tollbridge/api-keys';
import { createHmac } from 'node:crypto';
import { Peppers } from '../peppers/peppers';

/** The hashes of one presented secret under each pepper, that of new secrets first. */
export type SecretHashes = readonly [current: Buffer, former?: Buffer];

/**
 * HMAC-SHA256 under the pepper, of the secret's SHA-256 rather than of the secret itself: so the gateway never sends
 * secrets. Without the pepper a copy of the database does not allow a secret to be verified.
 */
@Injectable()
export class SecretHash {
  constructor(private readonly peppers: Peppers) {}

  /** The hash of a new secret. */
  of(secret: string): Buffer {
    return hashUnder(this.peppers.values[0]!, digestOfKey(secret));
  }

  /** @param digest as `digestOfKey` gives it. */
  ofDigest(digest: string): SecretHashes {
    const [current, former] = this.peppers.values.map((pepper) => hashUnder(pepper, digest));
    return former ? [current!, former] : [current!];
  }
}

const hashUnder = (pepper: string, digest: string): Buffer =>
  createHmac('sha256', pepper).update(digest, 'hex').digest();
