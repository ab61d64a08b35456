import { internalFeature, internalOperation } from '@tollbridge/rpc';
import { AnyObject, FreeForm, OneOf, Text } from '../decorators';
import { TonAccount } from './fields';
import { SettleReply } from './verification.api';

const json = { maxBytes: 16_384, maxDepth: 20 };
const CallKey = () =>
  Text('Identifies the charge: a repeated call with the same key gets the same outcome', {
    pattern: /^[0-9a-f]{32}$/,
    patternMessage: 'must be 32 hexadecimal digits',
    example: 'c0ffee00112233445566778899aabbcc',
  });

export class ChargeRequest {
  @AnyObject('Payload from the buyer', { ...json, example: {} }) paymentPayload: Record<string, unknown>;
  @AnyObject('Requirements of the seller', { ...json, example: {} })
  paymentRequirements: Record<string, unknown>;
  @CallKey() callKey: string;
}

export class ChargeOffersRequest {
  @TonAccount('Receiver, raw form') payTo: string;
  @Text('HTTP method of what is sold; buyers sign it', { maxLength: 8, example: 'POST' }) method: string;
}

export class ChargeOffers {
  @FreeForm(
    { type: 'array', items: { type: 'object' } },
    'Requirements of x402 version 2 without a price: `amount` is a placeholder',
    { example: [] },
  )
  offers: Record<string, unknown>[];
}

/** `none`: this key has no charge. `paid_out`: the amount has already been paid out to the seller. */
export const voidOutcomes = ['refunded', 'none', 'paid_out'] as const;

export class VoidReply {
  @OneOf(voidOutcomes, 'What became of the charge') outcome: (typeof voidOutcomes)[number];
}

/**
 * Nano-payments for sales of this deployment. Each call key is charged once, and the charge can be refunded by the key.
 */
export const nanoChargesApi = internalFeature('nanopay', 'charges', {
  chargeOffers: internalOperation({
    summary: 'Describe the nano-payments of this deployment, as sellers offer them',
    input: ChargeOffersRequest,
    output: ChargeOffers,
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
