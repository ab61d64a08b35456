import { Injectable } from '@nestjs/common';
import { digestOfKey } from '@tollbridge/api-keys';
import { createHmac } from 'node:crypto';
import { Peppers } from '../peppers/peppers';

/** The hashes of a presented secret under each pepper, the current pepper first. */
export type SecretHashes = readonly [current: Buffer, former?: Buffer];

/**
 * HMAC-SHA256 of the secret's SHA-256 under the pepper. The SHA-256 allows the gateway to authenticate without sending
 * secrets. Without the pepper, a guessed secret cannot be verified with a copy of the database.
 */
@Injectable()
export class SecretHash {
  constructor(private readonly peppers: Peppers) {}

  /** The hash of a new secret. */
  of(secret: string): Buffer {
    return hashUnder(this.peppers.values[0]!, digestOfKey(secret));
  }

  /** @param digest the result of `digestOfKey` */
  ofDigest(digest: string): SecretHashes {
    const [current, former] = this.peppers.values.map((pepper) => hashUnder(pepper, digest));
    return former ? [current!, former] : [current!];
  }
}

const hashUnder = (pepper: string, digest: string): Buffer =>
  createHmac('sha256', pepper).update(digest, 'hex').digest();
