import {
  Amount,
  Decimal,
  feature,
  Flag,
  Integer,
  internalFeature,
  internalOperation,
  ListOf,
  Nested,
  OneOf,
  operation,
  Text,
  Timestamp,
} from '@tollbridge/rpc';
import { Address, ChainName, orderIdExample, TokenSymbol, txExample } from '../pay-orders/fields';
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

const requestId = {
  description: 'Id of the payment request',
  format: 'uuid',
  example: paymentRequestIdExample,
};
const paymentId = { description: 'Id of the payment', format: 'uuid', example: paymentIdExample };

export class PaymentQuery {
  @Text({ ...requestId, maxLength: 64 })
  id: string;
  @Address({
    description:
      'Refund address of the payer. With it the reply also lists options that need a `payer_address`',
    optional: true,
    example: '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266',
  })
  payer_address?: string;
}

/** The fields of a payment request that a payer may read. */
export class PublicPaymentRequest {
  @Text(requestId)
  id: string;
  @OneOf(paymentRequestStatuses, { description: 'Status', example: 'pending' })
  status: PaymentRequestStatus;
  @Amount({ description: 'Amount that the merchant receives, smallest unit', example: '1000000' })
  amount: string;
  @Text({ description: 'The same amount, formatted in whole tokens', example: '1' })
  amount_formatted: string;
  @Text({ description: 'The token that the merchant receives', example: 'USDC' })
  currency: string;
  @Text({ description: 'Chain that the merchant is paid on', example: 'eip155:8453' })
  chain: string;
  @Text({ description: 'Display name of that chain', example: 'Base' })
  chain_name: string;
  @Text({
    description: 'Description of the purchase',
    minLength: 0,
    maxLength: 500,
    example: 'Order 4711: two espressos',
  })
  description: string;
  @Address({ description: 'Wallet of the merchant' })
  merchant: string;
  @StoreName()
  store_name: string | null;
  @StoreColor()
  store_color: string | null;
  @StoreLogo()
  store_logo: string | null;
  @EmbedOrigins()
  embed_origins: string[];
  @Address({ description: 'Receiving address; empty while `receive_address_required`', minLength: 0 })
  receive_address: string;
  @ReceiverRequired()
  receive_address_required: boolean;
  @Text({
    description: 'Where the payer may continue after the payment',
    nullable: true,
    maxLength: 1_024,
    example: 'https://shop.example.com/thanks',
  })
  success_url: string | null;
  @Text({
    description: 'Where a payer who does not pay returns to',
    nullable: true,
    maxLength: 1_024,
    example: 'https://shop.example.com/cart',
  })
  cancel_url: string | null;
  @Timestamp({ description: 'Expiry', nullable: true, example: null })
  expires_at: string | null;
  @Text({
    description: 'Most advanced payment that a payer began; null before the first',
    format: 'uuid',
    nullable: true,
    example: null,
  })
  payment_id: string | null;
  @Nested(() => PaymentAttempt, {
    description: 'Attempt to pay the request that the chain has not decided; null without one',
    nullable: true,
    optional: true,
    example: null,
  })
  attempt?: PaymentAttempt | null;
  @Text({
    description: 'PayLink that it is a checkout of; null for other requests',
    format: 'uuid',
    nullable: true,
    example: null,
  })
  paylink_id: string | null;
}

export class PaymentOption {
  @Text({ description: 'Token to pay with', example: 'USDC' })
  from_token: string;
  @Text({ description: 'Chain to pay on', example: 'eip155:8453' })
  from_chain: string;
  @Amount({ description: 'Amount to pay, smallest unit', example: '1000000' })
  from_amount: string;
  @Text({ description: 'The same amount, formatted in whole tokens', example: '1' })
  from_amount_formatted: string;
  @Decimal({
    description: 'The same amount in US dollars; null without a recent price',
    nullable: true,
    example: '1.00',
  })
  from_amount_usd: string | null;
  @Text({ description: 'Display name of that chain', example: 'Base' })
  from_chain_name: string;
  @OneOf(executionStrategies, { description: 'Payment route', example: 'direct' })
  execution_strategy: ExecutionStrategy;
  @Text({ description: 'Human-readable time from payment to settlement', example: '6 seconds' })
  estimated_time: string;
  @Integer({ description: 'The same time in seconds', min: 0, example: 6 })
  estimated_seconds: number;
  @Flag({
    description:
      'Whether executing the option needs a `payer_address` of its chain, to which the route provider refunds. The reply lists such options only when the query has a `payer_address`; all others are executed with `selected_option` alone',
    example: false,
  })
  needs_payer_address: boolean;
  @Text({ description: "Path of the token's logo", example: '/logos/tokens/usdc.svg' })
  logo: string;
}

export class PaymentDetailsReply {
  @Nested(() => PublicPaymentRequest, { description: 'The payment request' })
  payment_request: PublicPaymentRequest;
  @ListOf(() => PaymentOption, {
    description:
      'Payment options: direct ones first, then the fastest. An option without a quote in time is left out. Without `payer_address` in the query, each option is executed with `selected_option` alone. Empty when the request can no longer be executed',
    maxItems: 20,
  })
  payment_options: PaymentOption[];
}

export class SelectedOption {
  @TokenSymbol({ description: 'Token to pay with, from `payment_options`' })
  from_token: string;
  @ChainName({ description: 'Chain to pay on, from `payment_options`' })
  from_chain: string;
}

export class ExecutePaymentRequest {
  @Text({ ...requestId, maxLength: 64 })
  id: string;
  @Nested(() => SelectedOption, { description: 'One of `payment_options`' })
  selected_option: SelectedOption;
  @Address({
    description:
      'Address of the payer on the chain to pay on, for refunds. Required for options with `needs_payer_address`. Without it, a refund of another option is forwarded to the sender of the deposit',
    optional: true,
    receivesMoney: true,
    example: '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266',
  })
  payer_address?: string;
}

export class ExecutePaymentReply {
  @Text(paymentId)
  payment_id: string;
  @Text(requestId)
  payment_request_id: string;
  @OneOf(paymentStatuses, { description: 'Status', example: 'executing' })
  status: PaymentStatus;
  @Timestamp({
    description: 'Expected settlement time if the payer pays now',
    example: '2026-11-20T12:00:06.000Z',
  })
  estimated_completion: string;
  @Nested(() => CreateOrderReply, { description: 'The order: the contract call or deposit to make' })
  order: CreateOrderReply;
}

export class PaymentStep {
  @OneOf(paymentStepTypes, { description: 'Description of the step', example: 'transfer' })
  step_type: PaymentStepType;
  @OneOf(paymentStepStatuses, { description: 'Status of the step', example: 'pending' })
  status: PaymentStepStatus;
  @Text({ description: 'Transaction of the step, once known', nullable: true, example: txExample })
  transaction_hash: string | null;
}

/** A transaction that a wallet can send unchanged. */
export class WalletCall {
  @Address({ description: 'Contract to call' })
  to: string;
  @Text({ description: 'Call data', maxLength: 8_192, example: '0x095ea7b3' })
  data: string;
  @Amount({ description: 'Amount of the native coin to send along', allowZero: true, example: '0' })
  value: string;
}

/** Payment instructions for wallets and payers. */
export class PaymentInstructions {
  @Integer({
    description: 'EIP-155 id of the chain to pay on; null on other chains',
    nullable: true,
    example: 8453,
  })
  chain_id: number | null;
  @Nested(() => WalletCall, {
    description: 'Transaction to send first: it approves the payment contract for exactly the amount',
    nullable: true,
    example: null,
  })
  approve: WalletCall | null;
  @Nested(() => WalletCall, {
    description:
      'The payment transaction of a direct payment; null when the payer transfers to a deposit address',
    nullable: true,
    example: null,
  })
  pay: WalletCall | null;
  @Nested(() => WalletCall, {
    description:
      'The transfer to the deposit address on an EVM chain; null for direct payments and other chains',
    nullable: true,
    optional: true,
    example: null,
  })
  transfer?: WalletCall | null;
  @Text({
    description:
      'Link that wallets open: the transfer to the deposit address, the approval (ERC-681 cannot express a call with a struct), or a transaction request of Solana Pay; null without such a link',
    nullable: true,
    maxLength: 1_024,
    example: null,
  })
  uri: string | null;
  @Text({
    description:
      'Where wallets of Solana, TON, Tron and Sui get the call of the payment or of the deposit: a URL of `GET /api/v1/pay/order/{id}/wallet-call`, to which `?payer=` and the address of the wallet are added. Null on other chains, and for deposits where this deployment takes no direct payments on the chain or its transfers cannot carry the memo',
    nullable: true,
    optional: true,
    maxLength: 1_024,
    example: null,
  })
  wallet_call_url?: string | null;
}

export class PaymentStatusQuery {
  @Text({
    ...paymentId,
    description: 'Id of the payment, or of the payment request: then its most advanced payment',
    maxLength: 64,
  })
  id: string;
}

export class PaymentStatusReply {
  @Text(paymentId)
  payment_id: string;
  @Text(requestId)
  payment_request_id: string;
  @OneOf(paymentStatuses, { description: 'Status', example: 'completed' })
  status: PaymentStatus;
  @Nested(() => PublicPaymentRequest, { description: 'Payment request that the payment belongs to' })
  payment_request: PublicPaymentRequest;
  @ListOf(() => PaymentStep, { description: 'Steps of the payment', maxItems: 3 })
  steps: PaymentStep[];
  @Integer({
    description: 'Progress from 0 to 100; decreases only when a chain drops a block',
    min: 0,
    max: 100,
    example: 100,
  })
  progress: number;
  @Text({ description: 'Token that the payer pays with', example: 'USDC' })
  from_token: string;
  @Text({ description: 'Chain that the payer pays on', example: 'eip155:8453' })
  from_chain: string;
  @OneOf(executionStrategies, { description: 'Payment route', example: 'direct' })
  execution_strategy: ExecutionStrategy;
  @Text({ description: 'Id of the order', format: 'uuid', example: orderIdExample })
  order_id: string;
  @Nested(() => CreateOrderReply, { description: 'The contract call or deposit to make' })
  order: CreateOrderReply;
  @Nested(() => PaymentInstructions, {
    description:
      'Payment instructions; null when no payment is awaited any more. They remain until the chain shows the payment, whatever hash was submitted: do not pay while `payment_request.attempt` is `asking` or `sent`',
    nullable: true,
  })
  instructions: PaymentInstructions | null;
  @Text({ description: 'Transaction of the payer', nullable: true, example: txExample })
  pay_tx: string | null;
  @Text({ description: 'Transaction that paid the merchant', nullable: true, example: txExample })
  settle_tx: string | null;
  @Text({ description: 'Why the payment failed', nullable: true, maxLength: 1_000, example: null })
  failure_reason: string | null;
  @Integer({
    description:
      "Version of the payment's order that this reply shows; 0 before the first event of the order",
    min: 0,
    example: 3,
  })
  version: number;
  @Timestamp({ description: 'Creation time', example: '2026-11-20T12:00:00.000Z' })
  created_at: string;
  @Timestamp({ description: 'Time of the last change', example: '2026-11-20T12:00:07.000Z' })
  updated_at: string;
}

export const paymentsApi = feature('merchant', 'payments', 'Payments', {
  getPayment: operation({
    operationId: 'getPayablePaymentRequest',
    method: 'GET',
    path: '/api/v1/payment/{id}',
    summary: 'Read a payment request and its payment options',
    input: PaymentQuery,
    output: PaymentDetailsReply,
    errors: ['NOT_FOUND'],
    auth: 'public',
  }),
  executePayment: operation({
    operationId: 'startPayment',
    method: 'POST',
    path: '/api/v1/payment/{id}/execute',
    summary: 'Start a payment',
    description:
      'Creates the order to pay. The same option of the same payer returns the same payment while its order waits. Returns 409 when the request is paid, expired or canceled, or has too many payments in progress.',
    input: ExecutePaymentRequest,
    output: ExecutePaymentReply,
    errors: ['NOT_FOUND', 'CONFLICT', 'ROUTE_UNAVAILABLE', 'UPSTREAM_UNAVAILABLE'],
    auth: 'public',
    // Longer than creating the order may take.
    timeoutMs: 25_000,
  }),
  paymentStatus: operation({
    operationId: 'getPaymentStatus',
    method: 'GET',
    path: '/api/v1/payment/{id}/status',
    summary: 'Read the status of a payment',
    input: PaymentStatusQuery,
    output: PaymentStatusReply,
    errors: ['NOT_FOUND'],
    auth: 'public',
  }),
});

export class PaymentRequestLookup {
  @Text({ ...requestId, maxLength: 64 })
  id: string;
}

/** Optional fields: the previous release replies the id alone. */
export class PaymentRequestFound {
  @Text(requestId)
  id: string;
  @OneOf(paymentRequestStatuses, { description: 'Status', optional: true, example: 'pending' })
  status?: PaymentRequestStatus;
  @Amount({ description: 'Amount that the merchant receives', optional: true, example: '1000000' })
  amount?: string;
  @Text({
    description: 'PayLink that it is a checkout of; null for other requests',
    format: 'uuid',
    nullable: true,
    optional: true,
    example: null,
  })
  paylink_id?: string | null;
  @Nested(() => PaymentAttempt, {
    description: 'Attempt to pay the request that the chain has not decided; null without one',
    nullable: true,
    optional: true,
    example: null,
  })
  attempt?: PaymentAttempt | null;
}

/** What the gateway reads for its pages. */
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
