import type { SigningKey } from '@tollbridge/nanopay-protocol';
import { crypto_sign_detached, crypto_sign_seed_keypair } from 'sodium-native';

/** The key that signs receipts; the attestation covers it. libsodium signs twice as fast as OpenSSL. */
export class ReceiptKey implements SigningKey {
  readonly publicKey = Buffer.alloc(32);
  private readonly secretKey = Buffer.alloc(64);

  constructor(
    seed: Uint8Array,
    /** Number of the key, from 1. */
    readonly epoch: number,
  ) {
    crypto_sign_seed_keypair(this.publicKey, this.secretKey, Buffer.from(seed));
  }

  sign(digest: Uint8Array): Buffer {
    const signature = Buffer.alloc(64);
    crypto_sign_detached(signature, digest as Buffer, this.secretKey);
    return signature;
  }
}
