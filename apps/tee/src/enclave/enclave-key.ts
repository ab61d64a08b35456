import { signingKey, type SigningKey } from '@tollbridge/nanopay';

/** The key that the enclave signs receipts with, and that its attestation is about. */
export class EnclaveKey implements SigningKey {
  readonly publicKey: Buffer;
  private readonly key: SigningKey;

  constructor(
    readonly seed: Uint8Array,
    /** Counts its keys, from 1. */
    readonly epoch: number,
  ) {
    this.key = signingKey(seed);
    this.publicKey = this.key.publicKey;
  }

  sign(digest: Uint8Array): Buffer {
    return this.key.sign(digest);
  }
}
