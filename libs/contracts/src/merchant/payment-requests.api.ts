import { feature, merchantAuth, operation } from '@tollbridge/rpc';
import { maxTokenAmount } from '@tollbridge/money';
import {
  Amount,
  AnyObject,
  Decimal,
  Figure,
  Flag,
  FreeForm,
  Integer,
  ListOf,
  Nested,
  OneOf,
  Text,
  Timestamp,
  Unsigned,
} from '../decorators';
import { Cursor, Limit, NextCursor, UsedLimit } from '../list-fields';
import { Address, ChainName, TokenSymbol, TxHash, walletExample } from '../pay-orders/fields';
import { ReceiverRequired, RequestMetadata } from './payment-references';
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
import { CurrencyCode, ExchangeRate, Price, PriceOf, RateOf } from '../price-fields';
import { Id, WebAddress } from '../shared-fields';

export class CreatePaymentRequest {
  // Without `price`, which excludes `amount`.
  static readonly example = {
    amount: '1000000',
    currency: 'USDC',
    chain: 'eip155:8453',
    description: 'Order 4711: two espressos',
    metadata: { cart: '4711' },
    receive_address: walletExample,
    expires_at: '2026-12-20T12:00:00.000Z',
    success_url: 'https://shop.example.com/thanks',
    cancel_url: 'https://shop.example.com/cart',
  };
  @Amount('Amount to receive, in the smallest unit of the currency. Send either `amount` or `price`', {
    max: maxTokenAmount,
    requiredUnless: 'price',
  })
  amount?: string;
  @Nested(
    () => Price,
    'Price in a currency of ISO 4217. It is converted to the token when a payer chooses how to pay',
    { optional: true },
  )
  price?: Price;
  @TokenSymbol('Token to receive; `defaultToken` of the settings unless given', { optional: true })
  currency?: string;
  @ChainName('Chain to receive it on; `defaultChain` of the settings unless given', { optional: true })
  chain?: string;
  @Text('Description shown to the payer', {
    optional: true,
    maxLength: 500,
    example: 'Order 4711: two espressos',
  })
  description?: string;
  @AnyObject('Private metadata: returned only to the merchant, in replies and webhooks', {
    optional: true,
    maxBytes: 4_096,
    maxDepth: 5,
    example: { cart: '4711' },
  })
  metadata?: Record<string, unknown>;
  @Address(
    'Receiving address on the chain. Unless given: the address of this chain or its family in `receiveAddresses` of the settings; otherwise the wallet, when it belongs to that family and is not a contract of another chain; otherwise the only address that the wallet has proven on that family. Without any of them the request is created with `receive_address_required`, and cannot be paid before it has one',
    { optional: true, receivesMoney: true },
  )
  receive_address?: string;
  @Timestamp(
    'Expiry, at most one year ahead; without one, the request stays open until it is paid or canceled',
    { optional: true, example: '2026-12-20T12:00:00.000Z' },
  )
  expires_at?: string;
  @WebAddress('Where the payer may continue after the payment: an https URL of the merchant', {
    optional: true,
    format: 'uri',
    example: 'https://shop.example.com/thanks',
  })
  success_url?: string;
  @WebAddress('Where a payer who does not pay returns to: an https URL of the merchant', {
    optional: true,
    format: 'uri',
    example: 'https://shop.example.com/cart',
  })
  cancel_url?: string;
}

const paymentRequestId = {
  description: 'Id of the payment request',
  format: 'uuid',
  example: paymentRequestIdExample,
};

export class PaymentRequestReply {
  @Text(paymentRequestId) id: string;
  @OneOf(paymentRequestStatuses, 'Status') status: PaymentRequestStatus;
  @Amount('Amount to receive, smallest unit. With a `price`: its conversion at `rate`') amount: string;
  @PriceOf('The price; absent in a request with an amount of the token') price?: Price;
  @RateOf('Rate of `amount`: of the newest payment, before the first one at creation; absent without a price')
  rate?: ExchangeRate;
  @Text('Token to receive', { example: 'USDC' }) currency: string;
  @Text('Chain to receive it on', { example: 'eip155:8453' }) chain: string;
  @Text('Description shown to the payer', {
    minLength: 0,
    maxLength: 500,
    example: 'Order 4711: two espressos',
  })
  description: string;
  @FreeForm({ type: 'object' }, 'Private metadata', { nullable: true, example: { cart: '4711' } })
  metadata: Record<string, unknown> | null;
  @Id('PayLink that it is a checkout of; null for a request that you have created', { nullable: true })
  paylink_id: string | null;
  @Address(
    'Receiving address; empty while the merchant has named none on this chain, see `receive_address_required`',
    { minLength: 0 },
  )
  receive_address: string;
  @ReceiverRequired() receive_address_required: boolean;
  @WebAddress('Where the payer may continue after the payment', {
    nullable: true,
    example: 'https://shop.example.com/thanks',
  })
  success_url: string | null;
  @WebAddress('Where a payer who does not pay returns to', {
    nullable: true,
    example: 'https://shop.example.com/cart',
  })
  cancel_url: string | null;
  @Text('URL of the checkout page', {
    maxLength: 512,
    example: `https://api.example.com/checkout/${paymentRequestIdExample}`,
  })
  payment_link: string;
  @Text('URL of a QR code of that page, as PNG', {
    maxLength: 512,
    example: `https://api.example.com/api/v1/payment/${paymentRequestIdExample}/qr.png`,
  })
  qr_code_url: string;
  @Unsigned('Number of completed payments', { example: 0 }) completed_payments: number;
  @Flag('Whether the request was paid more than once', { example: false }) overpaid: boolean;
  @Timestamp('Expiry', { nullable: true }) expires_at: string | null;
  @Timestamp('Creation time') created_at: string;
  @Timestamp('Time of the last change') updated_at: string;
}

export class PaymentRequestQuery {
  @Text({ ...paymentRequestId, maxLength: 64 }) id: string;
}

export class SetReceiveAddressRequest {
  @Text({ ...paymentRequestId, maxLength: 64 }) id: string;
  @Address('Receiving address on the chain of the request', { receivesMoney: true }) receive_address: string;
}

export class CancelPaymentRequest {
  @Text({ ...paymentRequestId, maxLength: 64 }) id: string;
}

export class PaymentRequestsQuery {
  @OneOf(paymentRequestStatuses, 'Only requests with this status', { optional: true })
  status?: PaymentRequestStatus;
  @Timestamp('Only requests created at or after this time', {
    optional: true,
    example: '2026-11-01T00:00:00Z',
  })
  from?: string;
  @Timestamp('Only requests created before this time', { optional: true, example: '2026-12-01T00:00:00Z' })
  to?: string;
  @Limit(20) limit?: number;
  @Cursor({ maxLength: 128, example: 'MTc2MzY0MDAwMDAwMC45YTNkMWM0NA' }) cursor?: string;
}

export class PaymentRequestsReply {
  @ListOf(() => PaymentRequestReply, 'Newest first', { maxItems: 100 })
  payment_requests: PaymentRequestReply[];
  @UsedLimit(20) limit: number;
  @NextCursor() next_cursor: string | null;
}

export class PaymentsQuery {
  @OneOf(paymentStatuses, 'Only payments with this status', { optional: true, example: 'completed' })
  status?: PaymentStatus;
  @TokenSymbol('Only payments in this currency', { optional: true }) currency?: string;
  @ChainName('Only payments to this chain', { optional: true }) chain?: string;
  @Timestamp('Only payments created at or after this time', {
    optional: true,
    example: '2026-11-01T00:00:00Z',
  })
  from?: string;
  @Timestamp('Only payments created before this time', { optional: true, example: '2026-12-01T00:00:00Z' })
  to?: string;
  @Limit(20) limit?: number;
  @Cursor({ maxLength: 128, example: 'MTc2MzY0MDAwMDAwMC45YTNkMWM0NA' })
  cursor?: string;
}

export class MerchantPayment {
  @Id('Id of the payment', { example: paymentIdExample }) payment_id: string;
  @Text('Payment request that the payment belongs to', paymentRequestId) payment_request_id: string;
  @OneOf(paymentStatuses, 'Status', { example: 'completed' }) status: PaymentStatus;
  @Amount('Amount that the merchant receives, smallest unit') amount: string;
  @PriceOf('The price; absent in a payment of an amount of the token') price?: Price;
  @RateOf('Rate that `amount` was fixed at; absent without a price') rate?: ExchangeRate;
  @Text('Token that the merchant receives', { example: 'USDC' }) currency: string;
  @Text('Chain that the merchant is paid on', { example: 'eip155:8453' }) chain: string;
  @Text('Description of the payment request', { minLength: 0, maxLength: 500, example: '' })
  description: string;
  @RequestMetadata() metadata: Record<string, unknown> | null;
  @Text('Token that the payer pays with', { example: 'USDC' }) from_token: string;
  @Text('Chain that the payer pays on', { example: 'eip155:8453' }) from_chain: string;
  @OneOf(executionStrategies, 'Payment route') execution_strategy: ExecutionStrategy;
  @Id('Id of the order') order_id: string;
  @TxHash('Transaction of the payer', { nullable: true }) pay_tx: string | null;
  @TxHash('Transaction that paid the merchant', { nullable: true })
  settle_tx: string | null;
  @Amount('Amount that the merchant received', { nullable: true, example: '1000000' })
  settled_amount: string | null;
  @Decimal('The same amount in US dollars, at the time of payment', { nullable: true, example: '1.00' })
  settled_value_usd: string | null;
  @Text('Why the payment failed', { nullable: true, maxLength: 1_000 }) failure_reason: string | null;
  @Timestamp('Creation time') created_at: string;
  @Timestamp('Time of the last change', { example: '2026-11-20T12:00:07.000Z' }) updated_at: string;
}

/** Maximum count of a list. Counting further is slow and rarely useful, and the reply states when a list is longer. */
export const mostCounted = 10_000;

export class PaymentsReply {
  @ListOf(() => MerchantPayment, 'Newest first', { maxItems: 100 }) payments: MerchantPayment[];
  @Integer(`Number of payments with these filters on all pages; counted up to ${mostCounted}`, {
    min: 0,
    max: mostCounted,
    example: 1,
  })
  total: number;
  @Flag('Whether more than `total` exist', { example: false }) total_is_capped: boolean;
  @UsedLimit(20) limit: number;
  @NextCursor() next_cursor: string | null;
}

export class StatsQuery {}

export class CurrencySum {
  @Text('Token', { example: 'USDC' }) currency: string;
  @Text('Chain', { example: 'eip155:8453' }) chain: string;
  @Unsigned('Number of payments', { example: 1 }) total_payments: number;
  @Amount('Exact sum, smallest unit', { allowZero: true }) total_amount: string;
}

export class PeriodStats {
  @Unsigned('Number of completed payments', { example: 1 }) total_payments: number;
  @Figure('Total value, each payment valued at its time of payment', { example: 1 }) total_amount: number;
  @OneOf(['USD'], 'Currency of `total_amount`') currency: 'USD';
  @Unsigned('Payments without a price at their time of payment; `total_amount` excludes them', {
    example: 0,
  })
  unpriced_payments: number;
  @ListOf(() => CurrencySum, 'The same totals by received token and chain', { maxItems: 1_000 })
  by_currency: CurrencySum[];
  @Decimal(
    'Total value in `value_currency`: the price of each payment that was priced in it, otherwise the dollar value at the rate of the day. Absent without a `value_currency`',
    { optional: true, example: '0.92' },
  )
  value?: string;
  @CurrencyCode('`defaultCurrency` of the settings; absent without one, and for USD', { optional: true })
  value_currency?: string;
  @Unsigned(
    'Payments without a value in `value_currency`; `value` excludes them. Absent without a `value_currency`',
    {
      optional: true,
      example: 0,
    },
  )
  unvalued_payments?: number;
}

export class StatsReply {
  @Nested(() => PeriodStats, 'Since midnight, UTC') today: PeriodStats;
  @Nested(() => PeriodStats, 'Since Monday, UTC') this_week: PeriodStats;
  @Nested(() => PeriodStats, 'Since the first, UTC') this_month: PeriodStats;
}

export const paymentRequestsApi = feature('merchant', 'payment-requests', 'Payment requests', {
  createPaymentRequest: operation('POST /api/v1/merchant/payment-requests', {
    summary: 'Create a payment request',
    description:
      'Send the payer to `payment_link`, or show `qr_code_url`. The payer chooses the token to pay with; the merchant receives exactly `amount` of `currency`. With a `price`, the amount is fixed at the rate of the time when the payer chooses how to pay, for the lifetime of the order.',
    input: CreatePaymentRequest,
    output: PaymentRequestReply,
    errors: ['RATE_UNAVAILABLE'],
    auth: merchantAuth('write'),
  }),
  listPaymentRequests: operation('GET /api/v1/merchant/payment-requests', {
    summary: 'List your payment requests',
    input: PaymentRequestsQuery,
    output: PaymentRequestsReply,
    auth: merchantAuth('read'),
  }),
  getPaymentRequest: operation('GET /api/v1/merchant/payment-requests/{id}', {
    summary: 'Read a payment request',
    input: PaymentRequestQuery,
    output: PaymentRequestReply,
    errors: ['NOT_FOUND'],
    auth: merchantAuth('read'),
  }),
  cancelPaymentRequest: operation('POST /api/v1/merchant/payment-requests/{id}/cancel', {
    summary: 'Cancel a payment request',
    description:
      'The request can no longer be executed. A payment that a payer began before may still arrive, and then counts. Returns 409 while a payment is seen on the chain, and when the request is paid or expired.',
    input: CancelPaymentRequest,
    output: PaymentRequestReply,
    errors: ['NOT_FOUND', 'CONFLICT'],
    auth: merchantAuth('write'),
  }),
  setReceiveAddress: operation('POST /api/v1/merchant/payment-requests/{id}/receive-address', {
    operationId: 'setPaymentRequestReceiveAddress',
    summary: 'Name the receiving address of a payment request that has none',
    description:
      'For requests with `receive_address_required`: payers can pay from then on. An address in `receiveAddresses` of the settings, or a proven address, has the same effect. Returns 409 when the request has another address already.',
    input: SetReceiveAddressRequest,
    output: PaymentRequestReply,
    errors: ['NOT_FOUND', 'CONFLICT'],
    auth: merchantAuth('write'),
  }),
});

/** Payments of payment requests, with a separate handler class. Subjects and tag are those of the requests. */
export const merchantPaymentsApi = feature('merchant', 'payment-requests', 'Payment requests', {
  listPayments: operation('GET /api/v1/merchant/payments', {
    summary: 'List the payments of your payment requests',
    input: PaymentsQuery,
    output: PaymentsReply,
    auth: merchantAuth('read'),
  }),
  merchantStats: operation('GET /api/v1/merchant/stats', {
    operationId: 'getMerchantStats',
    summary: 'Read the totals of today, this week and this month',
    input: StatsQuery,
    output: StatsReply,
    auth: merchantAuth('read'),
  }),
});
