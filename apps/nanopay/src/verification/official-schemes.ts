import { Injectable } from '@nestjs/common';
import {
  facilitatorApi,
  type FacilitatedKindsReply,
  type NanoVerifyReply,
  type SettleReply,
} from '@tollbridge/contracts';
import { BusClient, type CallContext, DomainError } from '@tollbridge/rpc';
import { callKeyOf } from './call-key';

type Json = Record<string, unknown>;

/** A request of an x402 facilitator. */
export interface OfficialPayment {
  paymentPayload: Json;
  paymentRequirements: Json;
}

const schemes: readonly unknown[] = ['exact', 'upto', 'batch-settlement'];
/** Whether this is a scheme of the official packages, on any network. */
export const isOfficialScheme = (scheme: unknown): boolean => schemes.includes(scheme);
const namespaces = ['eip155:', 'solana:'];
const nothing: FacilitatedKindsReply = { kinds: [], signers: [] };

/** Forwards payments with the official schemes to the pay-orders app, which has the nodes and the key for them. */
@Injectable()
export class OfficialSchemes {
  private known = nothing;

  constructor(private readonly client: BusClient) {}

  /**
   * Whether the scheme is official and the network is an EVM chain or Solana. On other networks these schemes are not
   * supported.
   */
  includes({ scheme, network }: Json): boolean {
    return (
      isOfficialScheme(scheme) &&
      typeof network === 'string' &&
      namespaces.some((namespace) => network.startsWith(namespace))
    );
  }

  async verify(payment: OfficialPayment): Promise<NanoVerifyReply> {
    const reply = await this.client.call(facilitatorApi.operations.verifyFacilitated, payment);
    const { isValid, payer, invalidReason, invalidMessage, extra = {} } = reply;
    return {
      isValid,
      success: isValid,
      extra,
      ...(payer !== undefined && { payer }),
      ...(invalidReason !== undefined && { invalidReason, error: invalidReason }),
      ...(invalidMessage !== undefined && { invalidMessage }),
    };
  }

  /**
   * @throws DomainError SERVICE_UNAVAILABLE for a call with an Idempotency-Key while the outcome is unknown, because
   * its reply would be stored
   */
  async settle(payment: OfficialPayment, context: CallContext): Promise<SettleReply> {
    const callKey = callKeyOf(context, 'settle').toString('hex');
    const reply = await this.client.call(facilitatorApi.operations.settleFacilitated, {
      ...payment,
      callKey,
    });
    if (reply.errorReason === 'settlement_pending' && context.claim)
      throw new DomainError(
        'SERVICE_UNAVAILABLE',
        'The outcome of the settlement is not known yet. Repeat the call with the same Idempotency-Key.',
        { retryAfterSeconds: 1 },
      );
    return { ...reply, extra: reply.extra ?? {} };
  }

  /**
   * Returns the last known kinds while pay-orders does not answer, so that sellers of other schemes can still start.
   */
  async kinds(): Promise<FacilitatedKindsReply> {
    this.known = await this.client
      .call(facilitatorApi.operations.facilitatedKinds, {})
      .catch(() => this.known);
    return this.known;
  }
}
