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
import { StoreName } from './store-name';
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

const requestId = { description: 'The payment request', format: 'uuid', example: paymentRequestIdExample };
const paymentId = { description: 'The payment', format: 'uuid', example: paymentIdExample };

export class PaymentQuery {
  @Text({ ...requestId, maxLength: 64 })
  id: string;
  @Address({
    description:
      'An address of the payer, for refunds: lists also the options that need a `payer_address` when they are executed',
    optional: true,
    example: '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266',
  })
  payer_address?: string;
}

/** What a payer may know of a payment request. */
export class PublicPaymentRequest {
  @Text(requestId)
  id: string;
  @OneOf(paymentRequestStatuses, { description: 'Where it stands', example: 'pending' })
  status: PaymentRequestStatus;
  @Amount({ description: 'What the merchant receives, smallest unit', example: '1000000' })
  amount: string;
  @Text({ description: 'The same for people', example: '1' })
  amount_formatted: string;
  @Text({ description: 'The token that the merchant receives', example: 'USDC' })
  currency: string;
  @Text({ description: 'The chain that it is received on', example: 'eip155:8453' })
  chain: string;
  @Text({ description: 'The name of that chain for people', example: 'Base' })
  chain_name: string;
  @Text({ description: 'What it is for', minLength: 0, maxLength: 500, example: 'Order 4711: two espressos' })
  description: string;
  @Address({ description: "The merchant's wallet" })
  merchant: string;
  @StoreName()
  store_name: string | null;
  @Address({ description: 'Who is paid' })
  receive_address: string;
  @Text({
    description: 'Where the payer may go on to when it is paid',
    nullable: true,
    maxLength: 1_024,
    example: 'https://shop.example.com/thanks',
  })
  success_url: string | null;
  @Timestamp({ description: 'Until when it can be executed', nullable: true, example: null })
  expires_at: string | null;
  @Text({
    description: 'The payment that is furthest, of those that payers have begun; null before the first',
    format: 'uuid',
    nullable: true,
    example: null,
  })
  payment_id: string | null;
}

export class PaymentOption {
  @Text({ description: 'The token to pay with', example: 'USDC' })
  from_token: string;
  @Text({ description: 'The chain to pay on', example: 'eip155:8453' })
  from_chain: string;
  @Amount({ description: 'What is to be paid, smallest unit', example: '1000000' })
  from_amount: string;
  @Text({ description: 'The same for people', example: '1' })
  from_amount_formatted: string;
  @Decimal({
    description: 'The same in US dollars; null without a recent price',
    nullable: true,
    example: '1.00',
  })
  from_amount_usd: string | null;
  @Text({ description: 'The name of that chain for people', example: 'Base' })
  from_chain_name: string;
  @OneOf(executionStrategies, { description: 'How it gets to the merchant', example: 'direct' })
  execution_strategy: ExecutionStrategy;
  @Text({ description: 'From payment to settlement, for people', example: '6 seconds' })
  estimated_time: string;
  @Integer({ description: 'The same in seconds', min: 0, example: 6 })
  estimated_seconds: number;
  @Flag({
    description:
      'Executing it needs a `payer_address` of its chain, to which the route provider refunds. Such options are listed only when the query has a `payer_address`; every other one is executed with `selected_option` alone',
    example: false,
  })
  needs_payer_address: boolean;
  @Text({ description: 'Path of a picture of the token', example: '/logos/tokens/usdc.svg' })
  logo: string;
}

export class PaymentDetailsReply {
  @Nested(() => PublicPaymentRequest, { description: 'What is to be paid' })
  payment_request: PublicPaymentRequest;
  @ListOf(() => PaymentOption, {
    description:
      'What it can be paid with, direct ones first, then the fastest; what gave no quote in time is left out. Without `payer_address` in the query each of them is executed with `selected_option` alone. Empty when it cannot be executed any more',
    maxItems: 20,
  })
  payment_options: PaymentOption[];
}

export class SelectedOption {
  @TokenSymbol({ description: 'The token to pay with, as in `payment_options`' })
  from_token: string;
  @ChainName({ description: 'The chain to pay on, as in `payment_options`' })
  from_chain: string;
}

export class ExecutePaymentRequest {
  @Text({ ...requestId, maxLength: 64 })
  id: string;
  @Nested(() => SelectedOption, { description: 'One of `payment_options`' })
  selected_option: SelectedOption;
  @Address({
    description:
      'An address of the payer on the chain to pay on, to which refunds go. Required for options with `needs_payer_address`. Without it, a refund of another option is forwarded to the sender of the deposit',
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
  @OneOf(paymentStatuses, { description: 'Where it stands', example: 'executing' })
  status: PaymentStatus;
  @Timestamp({
    description: 'When it will be settled if it is paid now',
    example: '2026-11-20T12:00:06.000Z',
  })
  estimated_completion: string;
  @Nested(() => CreateOrderReply, { description: 'The order behind it: what to call, or where to send' })
  order: CreateOrderReply;
}

export class PaymentStep {
  @OneOf(paymentStepTypes, { description: 'What happens', example: 'transfer' })
  step_type: PaymentStepType;
  @OneOf(paymentStepStatuses, { description: 'How far it is', example: 'pending' })
  status: PaymentStepStatus;
  @Text({ description: 'Its transaction, once it is known', nullable: true, example: txExample })
  transaction_hash: string | null;
}

/** A transaction that a wallet can be given as it stands. */
export class WalletCall {
  @Address({ description: 'The contract to call' })
  to: string;
  @Text({ description: 'The call data', maxLength: 8_192, example: '0x095ea7b3' })
  data: string;
  @Amount({ description: 'How much of the native coin goes with it', allowZero: true, example: '0' })
  value: string;
}

/** How to pay, for wallets and for people. */
export class PaymentInstructions {
  @Integer({
    description: 'EIP-155 number of the chain to pay on; null elsewhere',
    nullable: true,
    example: 8453,
  })
  chain_id: number | null;
  @Nested(() => WalletCall, {
    description: 'To be sent first: it allows the payment contract to take the amount, and no more',
    nullable: true,
    example: null,
  })
  approve: WalletCall | null;
  @Nested(() => WalletCall, {
    description:
      'The payment itself, of a direct payment; null where the amount is sent to a deposit address',
    nullable: true,
    example: null,
  })
  pay: WalletCall | null;
  @Text({
    description:
      'A link that wallets open: the transfer to the deposit address, or the approval (ERC-681 cannot say a call with a struct); null where there is no such link',
    nullable: true,
    maxLength: 1_024,
    example: null,
  })
  uri: string | null;
}

export class PaymentStatusQuery {
  @Text({
    ...paymentId,
    description: 'The payment, or the payment request: then its furthest payment',
    maxLength: 64,
  })
  id: string;
}

export class PaymentStatusReply {
  @Text(paymentId)
  payment_id: string;
  @Text(requestId)
  payment_request_id: string;
  @OneOf(paymentStatuses, { description: 'Where it stands', example: 'completed' })
  status: PaymentStatus;
  @Nested(() => PublicPaymentRequest, { description: 'What is paid by it' })
  payment_request: PublicPaymentRequest;
  @ListOf(() => PaymentStep, { description: 'What has to happen', maxItems: 3 })
  steps: PaymentStep[];
  @Integer({
    description: '0 to 100; goes back only when a chain drops a block',
    min: 0,
    max: 100,
    example: 100,
  })
  progress: number;
  @Text({ description: 'The token that is paid with', example: 'USDC' })
  from_token: string;
  @Text({ description: 'The chain that is paid on', example: 'eip155:8453' })
  from_chain: string;
  @OneOf(executionStrategies, { description: 'How it gets to the merchant', example: 'direct' })
  execution_strategy: ExecutionStrategy;
  @Text({ description: 'The order behind it', format: 'uuid', example: orderIdExample })
  order_id: string;
  @Nested(() => CreateOrderReply, { description: 'What to call, or where to send' })
  order: CreateOrderReply;
  @Nested(() => PaymentInstructions, {
    description:
      'How to pay; null when it is not waited for any more: a direct payment, until the chain shows it, whatever was reported',
    nullable: true,
  })
  instructions: PaymentInstructions | null;
  @Text({ description: 'The transaction that paid', nullable: true, example: txExample })
  pay_tx: string | null;
  @Text({ description: 'The transaction that paid the merchant', nullable: true, example: txExample })
  settle_tx: string | null;
  @Text({ description: 'Why it failed', nullable: true, maxLength: 1_000, example: null })
  failure_reason: string | null;
  @Timestamp({ description: 'When it was begun', example: '2026-11-20T12:00:00.000Z' })
  created_at: string;
  @Timestamp({ description: 'When it last changed', example: '2026-11-20T12:00:07.000Z' })
  updated_at: string;
}

export const paymentsApi = feature('merchant', 'payments', 'Payments', {
  getPayment: operation({
    operationId: 'getPayablePaymentRequest',
    method: 'GET',
    path: '/api/v1/payment/{id}',
    summary: 'Read what is to be paid, and what it can be paid with',
    input: PaymentQuery,
    output: PaymentDetailsReply,
    errors: ['NOT_FOUND'],
    auth: 'public',
  }),
  executePayment: operation({
    operationId: 'startPayment',
    method: 'POST',
    path: '/api/v1/payment/{id}/execute',
    summary: 'Begin a payment',
    description:
      'Makes the order to be paid. The same option of the same payer, while its order waits, is the same payment. 409 when the request is paid, expired or canceled, or has too many payments under way.',
    input: ExecutePaymentRequest,
    output: ExecutePaymentReply,
    errors: ['NOT_FOUND', 'CONFLICT', 'ROUTE_UNAVAILABLE', 'UPSTREAM_UNAVAILABLE'],
    auth: 'public',
    // Longer than making the order may take.
    timeoutMs: 25_000,
  }),
  paymentStatus: operation({
    operationId: 'getPaymentStatus',
    method: 'GET',
    path: '/api/v1/payment/{id}/status',
    summary: 'Read how far a payment is',
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

export class PaymentRequestFound {
  @Text(requestId)
  id: string;
}

/** What the gateway asks for its pages. */
export const internalPaymentsApi = internalFeature('merchant', 'payment-pages', {
  findPaymentRequest: internalOperation({
    summary: 'Tell whether there is such a payment request',
    input: PaymentRequestLookup,
    output: PaymentRequestFound,
    errors: ['NOT_FOUND'],
  }),
  paymentPage: internalOperation({
    summary: 'Read a payment request with all options: the page asks for an address where one needs it',
    input: PaymentRequestLookup,
    output: PaymentDetailsReply,
    errors: ['NOT_FOUND'],
  }),
});
