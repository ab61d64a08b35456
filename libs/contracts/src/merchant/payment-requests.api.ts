import {
  Amount,
  AnyObject,
  Decimal,
  feature,
  Figure,
  Flag,
  FreeForm,
  Integer,
  ListOf,
  merchantAuth,
  Nested,
  OneOf,
  operation,
  Text,
  Timestamp,
} from '@tollbridge/rpc';
import { MAX_TOKEN_AMOUNT } from '@tollbridge/money';
import { Cursor, Limit, NextCursor, UsedLimit } from '../list-fields';
import { Address, ChainName, orderIdExample, TokenSymbol, txExample } from '../pay-orders/fields';
import {
  executionStrategies,
  paymentIdExample,
  paymentRequestIdExample,
  paymentRequestStatuses,
  paymentStatuses,
  type ExecutionStrategy,
  type PaymentRequestStatus,
  type PaymentStatus,
} from './payment-states';

export class CreatePaymentRequest {
  @Amount({
    description: 'What you want to receive, in the smallest unit of the currency',
    max: MAX_TOKEN_AMOUNT,
    example: '1000000',
  })
  amount: string;
  @TokenSymbol({
    description: 'The token that you want to receive; `defaultToken` of your settings unless given',
    optional: true,
  })
  currency?: string;
  @ChainName({
    description: 'The chain to receive it on; `defaultChain` of your settings unless given',
    optional: true,
  })
  chain?: string;
  @Text({
    description: 'What it is for; the payer reads it',
    optional: true,
    maxLength: 500,
    example: 'Order 4711: two espressos',
  })
  description?: string;
  @AnyObject({
    description: 'Your own data, for you only: in replies to you and in webhooks',
    optional: true,
    maxBytes: 4_096,
    maxDepth: 5,
    example: { cart: '4711' },
  })
  metadata?: Record<string, unknown>;
  @Address({
    description:
      'Receives the payment, on the chain. Unless given, the address of this chain or its family in `receiveAddresses` of your settings, else your wallet where it belongs to that family and is no contract of another chain; without either 400',
    optional: true,
    receivesMoney: true,
  })
  receive_address?: string;
  @Timestamp({
    description: 'Until when it can be executed; without it, until it is paid or canceled',
    optional: true,
    example: '2026-12-20T12:00:00.000Z',
  })
  expires_at?: string;
  @Text({
    description: 'Where the payer may go on to when it is paid: an https address of yours',
    optional: true,
    maxLength: 1_024,
    format: 'uri',
    example: 'https://shop.example.com/thanks',
  })
  success_url?: string;
}

const paymentRequestId = {
  description: 'The payment request',
  format: 'uuid',
  example: paymentRequestIdExample,
};

export class PaymentRequestReply {
  @Text(paymentRequestId)
  id: string;
  @OneOf(paymentRequestStatuses, { description: 'Where it stands', example: 'pending' })
  status: PaymentRequestStatus;
  @Amount({ description: 'What you want to receive, smallest unit', example: '1000000' })
  amount: string;
  @Text({ description: 'The token that you want to receive', example: 'USDC' })
  currency: string;
  @Text({ description: 'The chain to receive it on', example: 'eip155:8453' })
  chain: string;
  @Text({
    description: 'What it is for',
    minLength: 0,
    maxLength: 500,
    example: 'Order 4711: two espressos',
  })
  description: string;
  @FreeForm({ type: 'object' }, { description: 'Your own data', nullable: true, example: { cart: '4711' } })
  metadata: Record<string, unknown> | null;
  @Address({ description: 'Who is paid' })
  receive_address: string;
  @Text({
    description: 'Where the payer may go on to when it is paid',
    nullable: true,
    maxLength: 1_024,
    example: 'https://shop.example.com/thanks',
  })
  success_url: string | null;
  @Text({
    description: 'The page on which it is paid',
    maxLength: 512,
    example: `https://api.example.com/checkout/${paymentRequestIdExample}`,
  })
  payment_link: string;
  @Text({
    description: 'A QR code of that page, as PNG',
    maxLength: 512,
    example: `https://api.example.com/api/v1/payment/${paymentRequestIdExample}/qr.png`,
  })
  qr_code_url: string;
  @Integer({ description: 'How many payments were completed', min: 0, example: 0 })
  completed_payments: number;
  @Flag({ description: 'It was paid more than once', example: false })
  overpaid: boolean;
  @Timestamp({ description: 'Until when it can be executed', nullable: true, example: null })
  expires_at: string | null;
  @Timestamp({ description: 'When it was made', example: '2026-11-20T12:00:00.000Z' })
  created_at: string;
  @Timestamp({ description: 'When it last changed', example: '2026-11-20T12:00:00.000Z' })
  updated_at: string;
}

export class PaymentRequestQuery {
  @Text({ ...paymentRequestId, maxLength: 64 })
  id: string;
}

export class CancelPaymentRequest {
  @Text({ ...paymentRequestId, maxLength: 64 })
  id: string;
}

export class PaymentsQuery {
  @OneOf(paymentStatuses, {
    description: 'Only payments in this state',
    optional: true,
    example: 'completed',
  })
  status?: PaymentStatus;
  @TokenSymbol({ description: 'Only payments of this currency', optional: true })
  currency?: string;
  @ChainName({ description: 'Only payments to this chain', optional: true })
  chain?: string;
  @Timestamp({
    description: 'Only payments made at or after this time',
    optional: true,
    example: '2026-11-01T00:00:00Z',
  })
  from?: string;
  @Timestamp({
    description: 'Only payments made before this time',
    optional: true,
    example: '2026-12-01T00:00:00Z',
  })
  to?: string;
  @Limit(20)
  limit?: number;
  @Cursor({
    maxLength: 128,
    example: 'MTc2MzY0MDAwMDAwMC45YTNkMWM0NA',
  })
  cursor?: string;
}

export class MerchantPayment {
  @Text({ description: 'The payment', format: 'uuid', example: paymentIdExample })
  payment_id: string;
  @Text({ ...paymentRequestId, description: 'The payment request that it pays' })
  payment_request_id: string;
  @OneOf(paymentStatuses, { description: 'Where it stands', example: 'completed' })
  status: PaymentStatus;
  @Amount({ description: 'What you receive, smallest unit', example: '1000000' })
  amount: string;
  @Text({ description: 'The token that you receive', example: 'USDC' })
  currency: string;
  @Text({ description: 'The chain that you receive it on', example: 'eip155:8453' })
  chain: string;
  @Text({ description: 'What the payment request is for', minLength: 0, maxLength: 500, example: '' })
  description: string;
  @Text({ description: 'The token that is paid with', example: 'USDC' })
  from_token: string;
  @Text({ description: 'The chain that is paid on', example: 'eip155:8453' })
  from_chain: string;
  @OneOf(executionStrategies, { description: 'How it gets to you', example: 'direct' })
  execution_strategy: ExecutionStrategy;
  @Text({ description: 'The order behind it', format: 'uuid', example: orderIdExample })
  order_id: string;
  @Text({ description: 'The transaction that paid', nullable: true, example: txExample })
  pay_tx: string | null;
  @Text({ description: 'The transaction that paid you', nullable: true, example: txExample })
  settle_tx: string | null;
  @Amount({ description: 'What you received', nullable: true, example: '1000000' })
  settled_amount: string | null;
  @Decimal({ description: 'The same in US dollars, when it was paid', nullable: true, example: '1.00' })
  settled_value_usd: string | null;
  @Text({ description: 'Why it failed', nullable: true, maxLength: 1_000, example: null })
  failure_reason: string | null;
  @Timestamp({ description: 'When it was made', example: '2026-11-20T12:00:00.000Z' })
  created_at: string;
  @Timestamp({ description: 'When it last changed', example: '2026-11-20T12:00:07.000Z' })
  updated_at: string;
}

/** Counting further would cost more than anybody reads; a longer list says that it is longer. */
export const mostCounted = 10_000;

export class PaymentsReply {
  @ListOf(() => MerchantPayment, { description: 'Newest first', maxItems: 100 })
  payments: MerchantPayment[];
  @Integer({
    description: `How many there are with these filters on all pages; counted up to ${mostCounted}`,
    min: 0,
    max: mostCounted,
    example: 1,
  })
  total: number;
  @Flag({ description: 'There are more than `total`', example: false })
  total_is_capped: boolean;
  @UsedLimit(20)
  limit: number;
  @NextCursor()
  next_cursor: string | null;
}

export class StatsQuery {}

export class CurrencySum {
  @Text({ description: 'The token', example: 'USDC' })
  currency: string;
  @Text({ description: 'The chain', example: 'eip155:8453' })
  chain: string;
  @Integer({ description: 'How many payments', min: 0, example: 1 })
  total_payments: number;
  @Amount({ description: 'Their exact sum, smallest unit', allowZero: true, example: '1000000' })
  total_amount: string;
}

export class PeriodStats {
  @Integer({ description: 'How many payments were completed', min: 0, example: 1 })
  total_payments: number;
  @Figure({ description: 'Their value, each when it was paid', example: 1 })
  total_amount: number;
  @OneOf(['USD'], { description: 'What `total_amount` is counted in', example: 'USD' })
  currency: 'USD';
  @Integer({
    description: 'How many of them had no price when they were paid: they are not in `total_amount`',
    min: 0,
    example: 0,
  })
  unpriced_payments: number;
  @ListOf(() => CurrencySum, { description: 'The same by what was received', maxItems: 1_000 })
  by_currency: CurrencySum[];
}

export class StatsReply {
  @Nested(() => PeriodStats, { description: 'Since midnight, UTC' })
  today: PeriodStats;
  @Nested(() => PeriodStats, { description: 'Since Monday, UTC' })
  this_week: PeriodStats;
  @Nested(() => PeriodStats, { description: 'Since the first, UTC' })
  this_month: PeriodStats;
}

export const paymentRequestsApi = feature('merchant', 'payment-requests', 'Payment requests', {
  createPaymentRequest: operation({
    method: 'POST',
    path: '/api/v1/merchant/payment-requests',
    summary: 'Ask for a payment',
    description:
      'Send the payer to `payment_link`, or show `qr_code_url`. The payer chooses what to pay with; you receive `amount` of `currency` exactly.',
    input: CreatePaymentRequest,
    output: PaymentRequestReply,
    errors: [],
    auth: merchantAuth('write'),
  }),
  getPaymentRequest: operation({
    method: 'GET',
    path: '/api/v1/merchant/payment-requests/{id}',
    summary: 'Read a payment request',
    input: PaymentRequestQuery,
    output: PaymentRequestReply,
    errors: ['NOT_FOUND'],
    auth: merchantAuth('read'),
  }),
  cancelPaymentRequest: operation({
    method: 'POST',
    path: '/api/v1/merchant/payment-requests/{id}/cancel',
    summary: 'Cancel a payment request',
    description:
      'It cannot be executed any more. A payment that a payer has begun before may still arrive, and then counts. 409 while a payment is seen, and when it is paid or expired.',
    input: CancelPaymentRequest,
    output: PaymentRequestReply,
    errors: ['NOT_FOUND', 'CONFLICT'],
    auth: merchantAuth('write'),
  }),
  listPayments: operation({
    method: 'GET',
    path: '/api/v1/merchant/payments',
    summary: 'List the payments of your payment requests',
    input: PaymentsQuery,
    output: PaymentsReply,
    errors: [],
    auth: merchantAuth('read'),
  }),
  merchantStats: operation({
    operationId: 'getMerchantStats',
    method: 'GET',
    path: '/api/v1/merchant/stats',
    summary: 'Sum up what was paid today, this week and this month',
    input: StatsQuery,
    output: StatsReply,
    errors: [],
    auth: merchantAuth('read'),
  }),
});
