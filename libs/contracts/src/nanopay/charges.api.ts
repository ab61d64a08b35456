import { AnyObject, FreeForm, internalFeature, internalOperation, OneOf, Text } from '@tollbridge/rpc';
import { TonAccount } from './fields';
import { SettleReply } from './verification.api';

const json = { maxBytes: 16_384, maxDepth: 20 };
const callKey = {
  description: 'Identifies the charge: a repeated call with the same key gets the same outcome',
  pattern: /^[0-9a-f]{32}$/,
  patternMessage: 'must be 32 hexadecimal digits',
  example: 'c0ffee00112233445566778899aabbcc',
};

export class ChargeRequest {
  @AnyObject({ ...json, description: 'Payload from the buyer', example: {} })
  paymentPayload: Record<string, unknown>;
  @AnyObject({ ...json, description: 'Requirements of the seller', example: {} })
  paymentRequirements: Record<string, unknown>;
  @Text(callKey)
  callKey: string;
}

export class ChargeOffersRequest {
  @TonAccount({ description: 'Receiver, raw form' })
  payTo: string;
  @Text({ description: 'HTTP method of what is sold; buyers sign it', maxLength: 8, example: 'POST' })
  method: string;
}

export class ChargeOffers {
  @FreeForm(
    { type: 'array', items: { type: 'object' } },
    { description: 'Requirements of x402 version 2 without a price: `amount` is a placeholder', example: [] },
  )
  offers: Record<string, unknown>[];
}

/** `none`: nothing was charged under this key. `paid_out`: the seller no longer has the amount. */
export const voidOutcomes = ['refunded', 'none', 'paid_out'] as const;

export class VoidReply {
  @OneOf(voidOutcomes, { description: 'What became of the charge', example: 'refunded' })
  outcome: (typeof voidOutcomes)[number];
}

/** Nano-payments for sales of this deployment: charged once for each call key, and refunded with it. */
export const nanoChargesApi = internalFeature('nanopay', 'charges', {
  chargeOffers: internalOperation({
    summary: 'Describe the nano-payments of this deployment, as sellers offer them',
    input: ChargeOffersRequest,
    output: ChargeOffers,
    errors: [],
    isRead: true,
  }),
  chargePayment: internalOperation({
    summary: 'Charge a nano-payment',
    input: ChargeRequest,
    output: SettleReply,
    errors: ['SERVICE_UNAVAILABLE'],
  }),
  voidCharge: internalOperation({
    summary: 'Refund a charge',
    input: ChargeRequest,
    output: VoidReply,
    errors: ['SERVICE_UNAVAILABLE'],
  }),
});
