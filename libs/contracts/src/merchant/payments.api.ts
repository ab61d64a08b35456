import { feature, internalFeature, internalOperation, operation } from '@tollbridge/rpc';
import {
  Amount,
  Decimal,
  Flag,
  Integer,
  ListOf,
  Nested,
  OneOf,
  Text,
  Timestamp,
  Unsigned,
} from '../decorators';
import { Address, ChainName, payerExample, TokenSymbol, TxHash } from '../pay-orders/fields';
import { CreateOrderReply } from '../pay-orders/orders.api';
import { PaymentAttempt } from './payment-attempts.api';
import { ReceiverRequired } from './payment-references';
import { EmbedOrigins, StoreColor, StoreLogo, StoreName } from './store-name';
import {
  executionStrategies,
  paymentIdExample,
  paymentRequestIdExample,
  paymentRequestStatuses,
  paymentStatuses,
  paymentStepStatuses,
  paymentStepTypes,
  type ExecutionStrategy,
  type PaymentRequestStatus,
  type PaymentStatus,
  type PaymentStepStatus,
  type PaymentStepType,
} from './payment-states';
import { ExchangeRate, Price, PriceOf, RateOf } from '../price-fields';
import { Id, WebAddress } from '../shared-fields';

const requestId = {
  description: 'Id of the payment request',
  format: 'uuid',
  example: paymentRequestIdExample,
};
const paymentId = { description: 'Id of the payment', format: 'uuid', example: paymentIdExample };

export class PaymentQuery {
  @Text({ ...requestId, maxLength: 64 }) id: string;
  @Address('Refund address of the payer. With it the reply also lists options that need a `payer_address`', {
    optional: true,
    example: payerExample,
  })
  payer_address?: string;
}

/** The fields of a payment request that payers may read. */
export class PublicPaymentRequest {
  @Text(requestId) id: string;
  @OneOf(paymentRequestStatuses, 'Status') status: PaymentRequestStatus;
  @Amount('Amount that the merchant receives, smallest unit') amount: string;
  @Text('The same amount, formatted in whole tokens', { example: '1' }) amount_formatted: string;
  @PriceOf('The price; absent in a request with an amount of the token') price?: Price;
  @RateOf('Rate of `amount`. It is fixed when the payer chooses how to pay; absent without a price')
  rate?: ExchangeRate;
  @Text('The token that the merchant receives', { example: 'USDC' }) currency: string;
  @Text('Chain that the merchant is paid on', { example: 'eip155:8453' }) chain: string;
  @Text('Display name of that chain', { example: 'Base' }) chain_name: string;
  @Text('Description of the purchase', { minLength: 0, maxLength: 500, example: 'Order 4711: two espressos' })
  description: string;
  @Address('Wallet of the merchant') merchant: string;
  @StoreName() store_name: string | null;
  @StoreColor() store_color: string | null;
  @StoreLogo() store_logo: string | null;
  @EmbedOrigins() embed_origins: string[];
  @Address('Receiving address; empty while `receive_address_required`', { minLength: 0 })
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
  @Timestamp('Expiry', { nullable: true }) expires_at: string | null;
  @Id('Most advanced payment that a payer began; null before the first', { nullable: true })
  payment_id: string | null;
  @Nested(
    () => PaymentAttempt,
    'Attempt to pay the request that the chain has not decided; null without one',
    { nullable: true, optional: true, example: null },
  )
  attempt?: PaymentAttempt | null;
  @Id('PayLink that it is a checkout of; null for other requests', { nullable: true })
  paylink_id: string | null;
}

export class PaymentOption {
  @Text('Token to pay with', { example: 'USDC' }) from_token: string;
  @Text('Chain to pay on', { example: 'eip155:8453' }) from_chain: string;
  @Amount('Amount to pay, smallest unit') from_amount: string;
  @Text('The same amount, formatted in whole tokens', { example: '1' }) from_amount_formatted: string;
  @Decimal('The same amount in US dollars; null without a recent price', { nullable: true, example: '1.00' })
  from_amount_usd: string | null;
  @Text('Display name of that chain', { example: 'Base' }) from_chain_name: string;
  @OneOf(executionStrategies, 'Payment route') execution_strategy: ExecutionStrategy;
  @Text('Human-readable time from payment to settlement', { example: '6 seconds' }) estimated_time: string;
  @Unsigned('The same time in seconds', { example: 6 }) estimated_seconds: number;
  @Flag(
    'Whether executing the option needs a `payer_address` of its chain: the route provider refunds to it. The reply lists such options only when the query has a `payer_address`; all others are executed with `selected_option` alone',
    { example: false },
  )
  needs_payer_address: boolean;
  @Text("Path of the token's logo", { example: '/logos/tokens/usdc.svg' }) logo: string;
}

export class PaymentDetailsReply {
  @Nested(() => PublicPaymentRequest, 'The payment request') payment_request: PublicPaymentRequest;
  @ListOf(
    () => PaymentOption,
    'Payment options: direct ones first, then the fastest. An option without a quote in time is left out. Without `payer_address` in the query, each option is executed with `selected_option` alone. Empty when the request can no longer be executed',
    { maxItems: 20 },
  )
  payment_options: PaymentOption[];
}

export class SelectedOption {
  @TokenSymbol('Token to pay with, from `payment_options`') from_token: string;
  @ChainName('Chain to pay on, from `payment_options`') from_chain: string;
}

export class ExecutePaymentRequest {
  @Text({ ...requestId, maxLength: 64 }) id: string;
  @Nested(() => SelectedOption, 'One of `payment_options`') selected_option: SelectedOption;
  @Address(
    'Address of the payer on the chain to pay on, for refunds. Required for options with `needs_payer_address`. Without it, a refund of another option is forwarded to the sender of the deposit',
    { optional: true, receivesMoney: true, example: payerExample },
  )
  payer_address?: string;
}

export class ExecutePaymentReply {
  @Text(paymentId) payment_id: string;
  @Text(requestId) payment_request_id: string;
  @OneOf(paymentStatuses, 'Status') status: PaymentStatus;
  @Timestamp('Expected settlement time if the payer pays now', { example: '2026-11-20T12:00:06.000Z' })
  estimated_completion: string;
  @Nested(() => CreateOrderReply, 'The order: the contract call or deposit to make') order: CreateOrderReply;
}

export class PaymentStep {
  @OneOf(paymentStepTypes, 'Description of the step', { example: 'transfer' }) step_type: PaymentStepType;
  @OneOf(paymentStepStatuses, 'Status of the step') status: PaymentStepStatus;
  @TxHash('Transaction of the step, once known', { nullable: true })
  transaction_hash: string | null;
}

/** A transaction that a wallet can send unchanged. */
export class WalletCall {
  @Address('Contract to call') to: string;
  @Text('Call data', { maxLength: 8_192, example: '0x095ea7b3' }) data: string;
  @Amount('Amount of the native coin to send along', { allowZero: true, example: '0' }) value: string;
}

/** Payment instructions for wallets and payers. */
export class PaymentInstructions {
  @Integer('EIP-155 id of the chain to pay on; null on other chains', { nullable: true, example: 8453 })
  chain_id: number | null;
  @Nested(
    () => WalletCall,
    'Transaction to send first: it approves the payment contract for exactly the amount',
    { nullable: true, example: null },
  )
  approve: WalletCall | null;
  @Nested(
    () => WalletCall,
    'The payment transaction of a direct payment; null when the payer transfers to a deposit address',
    { nullable: true, example: null },
  )
  pay: WalletCall | null;
  @Nested(
    () => WalletCall,
    'The transfer to the deposit address on an EVM chain; null for direct payments and other chains',
    { nullable: true, optional: true, example: null },
  )
  transfer?: WalletCall | null;
  @WebAddress(
    'Link that wallets open: the transfer to the deposit address, the approval (ERC-681 cannot express a call with a struct), or a transaction request of Solana Pay; null without such a link',
    { nullable: true },
  )
  uri: string | null;
  @WebAddress(
    'Where wallets of Solana, TON, Tron and Sui get the call of the payment or of the deposit: a URL of `GET /api/v1/pay/order/{id}/wallet-call`. Add `?payer=` and the address of the wallet. Null on other chains, and for deposits where this deployment takes no direct payments on the chain or its transfers cannot carry the memo',
    { nullable: true, optional: true },
  )
  wallet_call_url?: string | null;
}

export class PaymentStatusQuery {
  @Text('Id of the payment, or of the payment request: then its most advanced payment', {
    ...paymentId,
    maxLength: 64,
  })
  id: string;
}

export class PaymentStatusReply {
  @Text(paymentId) payment_id: string;
  @Text(requestId) payment_request_id: string;
  @OneOf(paymentStatuses, 'Status', { example: 'completed' }) status: PaymentStatus;
  @Nested(() => PublicPaymentRequest, 'Payment request that the payment belongs to')
  payment_request: PublicPaymentRequest;
  @ListOf(() => PaymentStep, 'Steps of the payment', { maxItems: 3 }) steps: PaymentStep[];
  @Integer('Progress from 0 to 100; decreases only when a chain drops a block', {
    min: 0,
    max: 100,
    example: 100,
  })
  progress: number;
  @Text('Token that the payer pays with', { example: 'USDC' }) from_token: string;
  @Text('Chain that the payer pays on', { example: 'eip155:8453' }) from_chain: string;
  @OneOf(executionStrategies, 'Payment route') execution_strategy: ExecutionStrategy;
  @Id('Id of the order') order_id: string;
  @Nested(() => CreateOrderReply, 'The contract call or deposit to make') order: CreateOrderReply;
  @Nested(
    () => PaymentInstructions,
    'Payment instructions; null when no payment is awaited any more. They remain until the chain shows the payment, whatever hash was submitted: do not pay while `payment_request.attempt` is `asking` or `sent`',
    { nullable: true },
  )
  instructions: PaymentInstructions | null;
  @TxHash('Transaction of the payer', { nullable: true }) pay_tx: string | null;
  @TxHash('Transaction that paid the merchant', { nullable: true })
  settle_tx: string | null;
  @Text('Why the payment failed', { nullable: true, maxLength: 1_000 }) failure_reason: string | null;
  @Unsigned("Version of the payment's order that this reply shows; 0 before the first event of the order", {
    example: 3,
  })
  version: number;
  @Timestamp('Creation time') created_at: string;
  @Timestamp('Time of the last change', { example: '2026-11-20T12:00:07.000Z' }) updated_at: string;
}

export const paymentsApi = feature('merchant', 'payments', 'Payments', {
  getPayment: operation('GET /api/v1/payment/{id}', {
    operationId: 'getPayablePaymentRequest',
    summary: 'Read a payment request and its payment options',
    input: PaymentQuery,
    output: PaymentDetailsReply,
    errors: ['NOT_FOUND', 'RATE_UNAVAILABLE'],
    auth: 'public',
  }),
  executePayment: operation('POST /api/v1/payment/{id}/execute', {
    operationId: 'startPayment',
    summary: 'Start a payment',
    description:
      'Creates the order to pay. The same option of the same payer returns the same payment while its order waits. Returns 409 when the request is paid, expired or canceled, or has too many payments in progress.',
    input: ExecutePaymentRequest,
    output: ExecutePaymentReply,
    errors: ['NOT_FOUND', 'CONFLICT', 'ROUTE_UNAVAILABLE', 'RATE_UNAVAILABLE', 'UPSTREAM_UNAVAILABLE'],
    auth: 'public',
    // Longer than the creation of the order.
    timeoutMs: 25_000,
  }),
  paymentStatus: operation('GET /api/v1/payment/{id}/status', {
    operationId: 'getPaymentStatus',
    summary: 'Read the status of a payment',
    input: PaymentStatusQuery,
    output: PaymentStatusReply,
    errors: ['NOT_FOUND'],
    auth: 'public',
  }),
});

export class PaymentRequestLookup {
  @Text({ ...requestId, maxLength: 64 }) id: string;
}

/** Fields that are optional because the previous release replies only with the id. */
export class PaymentRequestFound {
  @Text(requestId) id: string;
  @OneOf(paymentRequestStatuses, 'Status', { optional: true })
  status?: PaymentRequestStatus;
  @Amount('Amount that the merchant receives', { optional: true }) amount?: string;
  @Id('PayLink that it is a checkout of; null for other requests', { nullable: true, optional: true })
  paylink_id?: string | null;
  @Nested(
    () => PaymentAttempt,
    'Attempt to pay the request that the chain has not decided; null without one',
    { nullable: true, optional: true, example: null },
  )
  attempt?: PaymentAttempt | null;
}

/** Operations for the pages of the gateway. */
export const internalPaymentsApi = internalFeature('merchant', 'payment-pages', {
  findPaymentRequest: internalOperation({
    summary: 'Check that a payment request exists, and read its state without its options',
    input: PaymentRequestLookup,
    output: PaymentRequestFound,
    errors: ['NOT_FOUND'],
  }),
  paymentPage: internalOperation({
    summary: 'Read a payment request with all options; the page asks for an address where an option needs it',
    input: PaymentRequestLookup,
    output: PaymentDetailsReply,
    errors: ['NOT_FOUND'],
  }),
});
