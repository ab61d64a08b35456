import {
  AnyObject,
  Flag,
  FreeForm,
  internalFeature,
  internalOperation,
  ListOf,
  OneOf,
  Text,
  Integer,
} from '@tollbridge/rpc';

const json = { maxBytes: 16_384, maxDepth: 20 };

/** The body of an x402 version 2 facilitator request, for a scheme of the official packages. */
export class FacilitatedPaymentRequest {
  @AnyObject({ ...json, description: 'Payload from the buyer', example: {} })
  paymentPayload: Record<string, unknown>;
  @AnyObject({ ...json, description: 'Requirements of the seller', example: {} })
  paymentRequirements: Record<string, unknown>;
}

export class FacilitatedSettleRequest extends FacilitatedPaymentRequest {
  @Text({
    description: 'Identifies the call: a repeated call with the same key gets the same outcome',
    pattern: /^[0-9a-f]{32}$/,
    patternMessage: 'must be 32 hexadecimal digits',
    example: 'c0ffee00112233445566778899aabbcc',
  })
  callKey: string;
}

/** The first digits of the key of a call without an Idempotency-Key; the others are random. */
export const keylessCallPrefix = '00000000';

const reason = { description: 'Error code', optional: true, maxLength: 128, example: 'duplicate_settlement' };
const message = {
  description: 'Human-readable reason',
  optional: true,
  maxLength: 1_000,
  example: 'The authorization was already settled.',
};
const payer = {
  description: 'Address of the payer',
  optional: true,
  maxLength: 128,
  example: '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266',
};

const extra = { description: 'Fields of the scheme for the seller', optional: true, example: {} };

export class FacilitatedVerifyReply {
  @Flag({ description: 'Whether the payment can be settled', example: true })
  isValid: boolean;
  @Text(payer)
  payer?: string;
  @Text(reason)
  invalidReason?: string;
  @Text(message)
  invalidMessage?: string;
  @FreeForm({ type: 'object' }, extra)
  extra?: Record<string, unknown>;
}

export class FacilitatedSettleReply {
  @Flag({ description: 'Whether the chain shows the payment', example: true })
  success: boolean;
  @Text({
    description: 'Transaction hash; empty when nothing was sent',
    minLength: 0,
    maxLength: 128,
    example: `0x${'ab'.repeat(32)}`,
  })
  transaction: string;
  @Text({ description: 'Network, CAIP-2', maxLength: 64, example: 'eip155:8453' })
  network: string;
  @Text(payer)
  payer?: string;
  @Text(reason)
  errorReason?: string;
  @Text(message)
  errorMessage?: string;
  @Text({ description: 'Settled amount, smallest unit', optional: true, maxLength: 78, example: '1000' })
  amount?: string;
  @FreeForm({ type: 'object' }, extra)
  extra?: Record<string, unknown>;
}

export const settlementStatesOfPayment = ['none', 'sent', 'settled', 'final', 'failed'] as const;

export class SettlementOfReply {
  @OneOf(settlementStatesOfPayment, {
    description: '`none`: this deployment has not settled it; `final`: the chain can no longer drop it',
    example: 'final',
  })
  state: (typeof settlementStatesOfPayment)[number];
  @Text({ description: 'Transaction hash', optional: true, maxLength: 128, example: `0x${'ab'.repeat(32)}` })
  transaction?: string;
  @Text({ description: 'Settled amount, smallest unit', optional: true, maxLength: 78, example: '1000' })
  amount?: string;
}

export class ReceivedSettlementsRequest {
  @Text({ description: 'Network, CAIP-2', maxLength: 64, example: 'eip155:8453' })
  network: string;
  @Text({ description: 'Receiver', maxLength: 128, example: '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266' })
  payTo: string;
  @Integer({
    description: 'Only those that became final from then on, Unix milliseconds',
    min: 0,
    example: 1800000000000,
  })
  sinceMs: number;
}

/** A settlement that the chain can no longer drop. */
export class ReceivedSettlement {
  @Text({ description: 'Payer', maxLength: 128, example: '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266' })
  payer: string;
  @Text({ description: 'Nonce of the authorization', maxLength: 128, example: `0x${'cd'.repeat(32)}` })
  nonce: string;
  @Text({ description: 'Token', maxLength: 128, example: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913' })
  asset: string;
  @Text({ description: 'Settled amount, smallest unit', maxLength: 78, example: '1000' })
  amount: string;
  @Text({ description: 'Transaction hash', maxLength: 128, example: `0x${'ab'.repeat(32)}` })
  transaction: string;
  @Integer({ description: 'When it became final, Unix milliseconds', min: 0, example: 1800000000000 })
  finalAtMs: number;
}

export class ReceivedSettlementsReply {
  @ListOf(() => ReceivedSettlement, { description: 'Oldest first, at most 200', maxItems: 200 })
  settlements: ReceivedSettlement[];
}

export class FacilitatedKindsRequest {}

export class FacilitatedKind {
  @Text({ description: 'Scheme', maxLength: 32, example: 'exact' })
  scheme: string;
  @Text({ description: 'Network, CAIP-2', maxLength: 64, example: 'eip155:8453' })
  network: string;
  @FreeForm(
    { type: 'object' },
    { description: "Values for `extra` of the seller's requirements", example: {} },
  )
  extra: Record<string, unknown>;
}

export class FacilitatorSigner {
  @Text({ description: 'Networks, as an x402 pattern', maxLength: 64, example: 'eip155:*' })
  networks: string;
  @Text({ description: 'Address', maxLength: 128, example: '0x14dC79964da2C08b23698B3D3cc7Ca32193d9955' })
  address: string;
}

export class FacilitatedKindsReply {
  @ListOf(() => FacilitatedKind, { description: 'Schemes and networks that are settled', maxItems: 200 })
  kinds: FacilitatedKind[];
  @ListOf(() => FacilitatorSigner, { description: 'Accounts that send the transactions', maxItems: 10 })
  signers: FacilitatorSigner[];
}

/**
 * The x402 facilitator for the schemes of the official packages. The nanopay app has the HTTP operations; pay-orders
 * has the nodes, the database and the key that pays for gas (decision 71).
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
    // Longer than the most that FACILITATOR_WAIT_MS allows.
    timeoutMs: 35_000,
  }),
  settlementOf: internalOperation({
    summary: 'Find the settlement of a payment, whichever call asked for it',
    input: FacilitatedPaymentRequest,
    output: SettlementOfReply,
    errors: [],
    timeoutMs: 5_000,
    isRead: true,
  }),
  receivedSettlements: internalOperation({
    summary: 'List the final settlements to a receiver',
    input: ReceivedSettlementsRequest,
    output: ReceivedSettlementsReply,
    errors: [],
    timeoutMs: 5_000,
    isRead: true,
  }),
  facilitatedKinds: internalOperation({
    summary: 'List the official x402 schemes and networks that are settled',
    input: FacilitatedKindsRequest,
    output: FacilitatedKindsReply,
    errors: [],
    timeoutMs: 2_000,
    isRead: true,
  }),
});
