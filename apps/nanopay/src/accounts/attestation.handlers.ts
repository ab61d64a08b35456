import { Controller } from '@nestjs/common';
import {
  nanoAttestationApi,
  teeAccountsApi,
  type AttestationReply,
  type AttestationRequest,
} from '@tollbridge/contracts';
import { BusClient, Handles, type CallContext } from '@tollbridge/rpc';

/** Returns the signed attestation document unchanged. */
@Controller()
@Handles(nanoAttestationApi)
export class AttestationHandlers {
  constructor(private readonly client: BusClient) {}

  getAttestation(request: AttestationRequest, context: CallContext): Promise<AttestationReply> {
    return this.client.call(teeAccountsApi.operations.attest, request, context);
  }
}
