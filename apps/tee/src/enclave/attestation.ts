import { Inject, Injectable } from '@nestjs/common';
import {
  AttestationDesk,
  AttestationUnavailable,
  tdxAttester,
  unattested,
  type AttestationDocument,
  type Attester,
} from '@tollbridge/attestation';
import { DomainError } from '@tollbridge/rpc';
import { Clock } from '@tollbridge/database';
import type { TeeConfig } from '../config';
import { LedgerWriter } from '../payments/ledger-writer';
import { EnclaveKey } from './enclave-key';
import { Scope } from './scope';

/** Where evidence and the enclave's key come from; an agent that does not answer stops the start. */
export async function attesterOf(config: TeeConfig): Promise<Attester> {
  const { TEE_ATTESTATION: mode, TEE_DSTACK_ENDPOINT: endpoint, TEE_KEY_FILE: seedFile } = config;
  if (mode === 'none') return unattested({ seedFile });
  return tdxAttester({ isSimulator: mode === 'tdx-simulator', ...(endpoint !== '' && { endpoint }) });
}

/** Under this token the module has the attester. */
export const Attesting = Symbol('Attesting');

/** What the enclave says of itself to who asks. */
@Injectable()
export class Attestation {
  private readonly desk: AttestationDesk;

  constructor(
    writer: LedgerWriter,
    key: EnclaveKey,
    { deployment }: Scope,
    @Inject(Clock) clock: Clock,
    @Inject(Attesting) attester: Attester,
  ) {
    this.desk = new AttestationDesk({
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
      return await this.desk.attest(nonce?.toLowerCase());
    } catch (error) {
      if (!(error instanceof AttestationUnavailable)) throw error;
      const { code, message, retryAfterMs = 1_000 } = error;
      if (code === 'nonce_invalid') throw DomainError.invalid([{ field: 'nonce', message }]);
      const again = { cause: error, retryAfterSeconds: Math.ceil(retryAfterMs / 1000) };
      throw new DomainError(
        code === 'rate_limited' ? 'RATE_LIMIT_EXCEEDED' : 'SERVICE_UNAVAILABLE',
        message,
        again,
      );
    }
  }
}
