import { type FieldError, internalFeature, internalOperation } from '@tollbridge/rpc';
import { AnyObject, Flag, FreeForm, OneOf, Secret, Text } from '../decorators';
import { smsApi } from './sms.api';
import { idExample } from '../shared-fields';

const anyObject = { type: 'object' };

/** A call of a sold operation that the gateway received without credentials. */
export class SoldCall {
  @Text('Subject of the sold operation', { maxLength: 128, example: 'op.service-api.sms.rent-number' })
  operation: string;
  @AnyObject('Input of the operation; absent when the client sent none, or none that can be read', {
    isSecret: true,
    maxBytes: 524_288,
    maxDepth: 32,
    optional: true,
    example: {},
  })
  input?: Record<string, unknown>;
}

export class SaleQuote {
  @FreeForm({ type: 'array', items: anyObject }, 'Payments that are accepted, as x402 version 2 says', {
    example: [],
  })
  accepts: Record<string, unknown>[];
  @Text('Price in dollars', { maxLength: 32, example: '0.26' }) priceUsd: string;
  @Flag('Whether the price is a lower bound: the input is missing or not valid', { example: false })
  isFrom: boolean;
  @Text(
    'The most that the provider takes, in dollars: what the purchase costs an account. Null where the price is a lower bound',
    { maxLength: 32, nullable: true, optional: true, example: '0.24' },
  )
  costUsd?: string | null;
  @FreeForm(anyObject, 'What happens to the payment of a purchase that fails', { example: {} })
  refundPolicy: Record<string, unknown>;
  @FreeForm({ type: 'array', items: anyObject }, 'What is wrong with the input: fields and messages', {
    optional: true,
    example: [],
  })
  problems?: FieldError[];
}

export class SellRequest extends SoldCall {
  @AnyObject('Payment of the buyer, as x402 version 2 says', { maxBytes: 16_384, maxDepth: 20, example: {} })
  payment: Record<string, unknown>;
}

/** Outcome of a sale. `unpaid`: without a payment. `declined`: paid, not bought, and refunded. */
export const saleOutcomes = ['served', 'declined', 'unpaid'] as const;

export class SaleReply {
  @OneOf(saleOutcomes, '`served`, `declined` (refunded), or `unpaid`') outcome: (typeof saleOutcomes)[number];
  @FreeForm({}, '`served`: output of the operation', { isSecret: true, optional: true, example: {} })
  output?: unknown;
  @FreeForm(anyObject, '`declined`: code, message and details of the error', { optional: true, example: {} })
  failure?: Record<string, unknown>;
  @FreeForm(anyObject, 'The header PAYMENT-RESPONSE', { example: {} }) receipt: Record<string, unknown>;
  @Secret('`served`: gives access to what was bought, without another payment', {
    optional: true,
    maxLength: 128,
    example: `${idExample}.0Jb5wY0v8m3d6c1PqNnW2A`,
  })
  purchaseToken?: string;
}

export class SoldReadRequest extends SoldCall {
  @Secret('Token of the purchase', { maxLength: 128, example: `${idExample}.0Jb5wY0v8m3d6c1PqNnW2A` })
  token: string;
}

export class SoldReadReply {
  @FreeForm({}, 'Output of the operation', { isSecret: true, example: {} }) output: unknown;
}

/**
 * Operations that the gateway sells for x402 payments (decision 73). Sold operations declare `sale`. The replies
 * include their own errors.
 */
export const salesApi = internalFeature('service-api', 'sales', {
  quoteSale: internalOperation({
    summary: 'Price a call of a sold operation',
    input: SoldCall,
    output: SaleQuote,
    errors: ['NOT_FOUND', 'PURCHASE_REFUSED', 'UPSTREAM_UNAVAILABLE'],
    timeoutMs: 20_000,
    isRead: true,
  }),
  sell: internalOperation({
    summary: 'Take a payment, execute the operation, and refund what was not bought',
    input: SellRequest,
    output: SaleReply,
    errors: ['NOT_FOUND', 'CONFLICT', 'RATE_LIMIT_EXCEEDED', 'SERVICE_UNAVAILABLE'],
    // Settlement and purchase have separate time-outs, which this time-out covers.
    timeoutMs: 120_000,
  }),
  sellAwaited: internalOperation({
    summary:
      'The same for an operation that waits for minutes: the wait ends with the caller, and not the purchase',
    input: SellRequest,
    output: SaleReply,
    errors: ['NOT_FOUND', 'CONFLICT', 'RATE_LIMIT_EXCEEDED', 'SERVICE_UNAVAILABLE'],
    // Covers the settlement and the longest sold operation.
    timeoutMs: 60_000 + smsApi.operations.awaitCode.timeoutMs,
    endsWithCaller: true,
  }),
  readSold: internalOperation({
    summary: 'Read what a sale has bought',
    input: SoldReadRequest,
    output: SoldReadReply,
    errors: ['UNAUTHORIZED', 'NOT_FOUND'],
    timeoutMs: 30_000,
    isRead: true,
  }),
});
