import { internalFeature, internalOperation } from '@tollbridge/rpc';
import { AnyObject, Flag, FreeForm, ListOf, OneOf, Text, Unsigned } from '../decorators';
import { payerExample, usdcExample } from './fields';

const json = { maxBytes: 16_384, maxDepth: 20 };

/** The body of an x402 version 2 facilitator request, for a scheme of the official packages. */
export class FacilitatedPaymentRequest {
  @AnyObject('Payload from the buyer', { ...json, example: {} }) paymentPayload: Record<string, unknown>;
  @AnyObject('Requirements of the seller', { ...json, example: {} })
  paymentRequirements: Record<string, unknown>;
}

export class FacilitatedSettleRequest extends FacilitatedPaymentRequest {
  @Text('Identifies the call: a repeated call with the same key gets the same outcome', {
    pattern: /^[0-9a-f]{32}$/,
    patternMessage: 'must be 32 hexadecimal digits',
    example: 'c0ffee00112233445566778899aabbcc',
  })
  callKey: string;
}

/** Leading digits of the random key for a call without an Idempotency-Key. */
export const keylessCallPrefix = '00000000';

const Reason = () => Text('Error code', { optional: true, maxLength: 128, example: 'duplicate_settlement' });
const Message = () =>
  Text('Human-readable reason', {
    optional: true,
    maxLength: 1_000,
    example: 'The authorization was already settled.',
  });
const Payer = () => Text('Address of the payer', { optional: true, maxLength: 128, example: payerExample });

const Extra = () =>
  FreeForm({ type: 'object' }, 'Fields of the scheme for the seller', { optional: true, example: {} });

export class FacilitatedVerifyReply {
  @Flag('Whether the payment can be settled') isValid: boolean;
  @Payer() payer?: string;
  @Reason() invalidReason?: string;
  @Message() invalidMessage?: string;
  @Extra() extra?: Record<string, unknown>;
}

export class FacilitatedSettleReply {
  @Flag('Whether the chain shows the payment') success: boolean;
  @Text('Transaction hash; empty when nothing was sent', {
    minLength: 0,
    maxLength: 128,
    example: `0x${'ab'.repeat(32)}`,
  })
  transaction: string;
  @Text('Network, CAIP-2', { maxLength: 64, example: 'eip155:8453' }) network: string;
  @Payer() payer?: string;
  @Reason() errorReason?: string;
  @Message() errorMessage?: string;
  @Text('Settled amount, smallest unit', { optional: true, maxLength: 78, example: '1000' }) amount?: string;
  @Extra() extra?: Record<string, unknown>;
}

export const settlementStatesOfPayment = ['none', 'sent', 'settled', 'final', 'failed'] as const;

export class SettlementOfReply {
  @OneOf(
    settlementStatesOfPayment,
    '`none`: this deployment has not settled it; `final`: the chain can no longer drop it',
    { example: 'final' },
  )
  state: (typeof settlementStatesOfPayment)[number];
  @Text('Transaction hash', { optional: true, maxLength: 128, example: `0x${'ab'.repeat(32)}` })
  transaction?: string;
  @Text('Settled amount, smallest unit', { optional: true, maxLength: 78, example: '1000' }) amount?: string;
}

export class ReceivedSettlementsRequest {
  @Text('Network, CAIP-2', { maxLength: 64, example: 'eip155:8453' }) network: string;
  @Text('Receiver', { maxLength: 128, example: payerExample }) payTo: string;
  @Unsigned('Only those that became final from then on, Unix milliseconds', { example: 1800000000000 })
  sinceMs: number;
}

/** A settlement that is final on its chain. */
export class ReceivedSettlement {
  @Text('Payer', { maxLength: 128, example: payerExample }) payer: string;
  @Text('Nonce of the authorization', { maxLength: 128, example: `0x${'cd'.repeat(32)}` }) nonce: string;
  @Text('Token', { maxLength: 128, example: usdcExample }) asset: string;
  @Text('Settled amount, smallest unit', { maxLength: 78, example: '1000' }) amount: string;
  @Text('Transaction hash', { maxLength: 128, example: `0x${'ab'.repeat(32)}` }) transaction: string;
  @Unsigned('When it became final, Unix milliseconds', { example: 1800000000000 }) finalAtMs: number;
}

export class ReceivedSettlementsReply {
  @ListOf(() => ReceivedSettlement, 'Oldest first, at most 200', { maxItems: 200 })
  settlements: ReceivedSettlement[];
}

export class FacilitatedKindsRequest {}

export class FacilitatedKind {
  @Text('Scheme', { maxLength: 32, example: 'exact' }) scheme: string;
  @Text('Network, CAIP-2', { maxLength: 64, example: 'eip155:8453' }) network: string;
  @FreeForm({ type: 'object' }, "Values for `extra` of the seller's requirements", { example: {} })
  extra: Record<string, unknown>;
}

export class FacilitatorSigner {
  @Text('Networks, as an x402 pattern', { maxLength: 64, example: 'eip155:*' }) networks: string;
  @Text('Address', { maxLength: 128, example: '0x14dC79964da2C08b23698B3D3cc7Ca32193d9955' }) address: string;
}

export class FacilitatedKindsReply {
  @ListOf(() => FacilitatedKind, 'Schemes and networks that are settled', { maxItems: 200 })
  kinds: FacilitatedKind[];
  @ListOf(() => FacilitatorSigner, 'Accounts that send the transactions', { maxItems: 10 })
  signers: FacilitatorSigner[];
}

/**
 * The x402 facilitator for the schemes of the official packages. The nanopay app exposes the HTTP operations.
 * pay-orders has the nodes, the database and the key that pays for gas (decision 71).
 */
export const facilitatorApi = internalFeature('pay-orders', 'facilitator', {
  verifyFacilitated: internalOperation({
    summary: 'Check a payment of an official x402 scheme',
    input: FacilitatedPaymentRequest,
    output: FacilitatedVerifyReply,
    errors: ['SERVICE_UNAVAILABLE'],
    timeoutMs: 10_000,
    isRead: true,
  }),
  settleFacilitated: internalOperation({
    summary: 'Settle a payment of an official x402 scheme on its chain',
    input: FacilitatedSettleRequest,
    output: FacilitatedSettleReply,
    errors: ['SERVICE_UNAVAILABLE', 'RATE_LIMIT_EXCEEDED'],
    // Longer than the maximum of FACILITATOR_WAIT_MS.
    timeoutMs: 35_000,
  }),
  settlementOf: internalOperation({
    summary: 'Find the settlement of a payment, whichever call asked for it',
    input: FacilitatedPaymentRequest,
    output: SettlementOfReply,
    timeoutMs: 5_000,
    isRead: true,
  }),
  receivedSettlements: internalOperation({
    summary: 'List the final settlements to a receiver',
    input: ReceivedSettlementsRequest,
    output: ReceivedSettlementsReply,
    timeoutMs: 5_000,
    isRead: true,
  }),
  facilitatedKinds: internalOperation({
    summary: 'List the official x402 schemes and networks that are settled',
    input: FacilitatedKindsRequest,
    output: FacilitatedKindsReply,
    timeoutMs: 2_000,
    isRead: true,
  }),
});
