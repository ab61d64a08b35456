import { Inject, Injectable } from '@nestjs/common';
import {
  AttestationIssuer,
  AttestationUnavailable,
  type AttestationDocument,
  type Attester,
} from '@tollbridge/attestation';
import { DomainError } from '@tollbridge/rpc';
import { Clock } from '@tollbridge/database';
import { LedgerWriter } from '../ledger/storage/ledger-writer';
import { ReceiptKey } from '../signing/receipt-key';
import { ServiceAttester } from '../signing/attester';
import { Scope } from '../signing/scope';

/** Builds the attestation document of this service. */
@Injectable()
export class Attestation {
  private readonly issuer: AttestationIssuer;

  constructor(
    writer: LedgerWriter,
    key: ReceiptKey,
    { deployment }: Scope,
    @Inject(Clock) clock: Clock,
    @Inject(ServiceAttester) attester: Attester,
  ) {
    this.issuer = new AttestationIssuer({
      attester,
      identity: {
        network: deployment.network.name,
        verifyingContract: deployment.verifyingContract,
        keyEpoch: key.epoch,
      },
      key,
      ledger: () => writer.position,
      nowMs: () => clock.now(),
    });
  }

  async attest(nonce: string | undefined): Promise<AttestationDocument> {
    try {
      return await this.issuer.attest(nonce?.toLowerCase());
    } catch (error) {
      if (!(error instanceof AttestationUnavailable)) throw error;
      const { code, message, retryAfterMs = 1_000 } = error;
      if (code === 'nonce_invalid') throw DomainError.invalid([{ field: 'nonce', message }]);
      const options = { cause: error, retryAfterSeconds: Math.ceil(retryAfterMs / 1000) };
      throw new DomainError(
        code === 'rate_limited' ? 'RATE_LIMIT_EXCEEDED' : 'SERVICE_UNAVAILABLE',
        message,
        options,
      );
    }
  }
}
