import {
  Amount,
  feature,
  Flag,
  Integer,
  ListOf,
  Nested,
  OneOf,
  operation,
  Text,
  Timestamp,
  Uuid,
  type Variants,
} from '@tollbridge/rpc';
import { MAX_TOKEN_AMOUNT } from '@tollbridge/money';
import { Cursor, Limit, NextCursor, UsedLimit } from '../list-fields';
import { Address, ChainName, orderIdExample, TokenSymbol, txExample } from './fields';
import { payMethods, type PayMethod } from './quotes.api';

export const orderStatuses = ['waiting_payment', 'settling', 'settled', 'failed', 'expired'] as const;
export type OrderStatus = (typeof orderStatuses)[number];

/** Terms of an order without a payer. */
export class OrderTermsRequest {
  @ChainName({ description: 'Chain that the payer pays on' })
  pay_blockchain: string;
  @TokenSymbol({ description: 'Token that the payer pays with' })
  pay_token: string;
  @ChainName({ description: 'Chain that the merchant is paid on' })
  settle_chain: string;
  @TokenSymbol({ description: 'Token that the merchant is paid in' })
  settle_token: string;
  @Address({ description: 'Receives the payment, on the settle chain', receivesMoney: true })
  merchant_address: string;
  @Amount({
    description: 'Exact amount that the merchant receives, smallest unit of the settle token',
    max: MAX_TOKEN_AMOUNT,
    example: '1000000',
  })
  merchant_amount: string;
  @Address({
    description:
      'Receives the fee, on the settle chain; may be empty or the zero address when `fee_amount` is 0',
    minLength: 0,
    receivesMoney: true,
    example: '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC',
  })
  fee_receiver: string;
  @Amount({
    description: 'Fee on top of the merchant amount; at most the merchant amount',
    allowZero: true,
    max: MAX_TOKEN_AMOUNT,
    example: '5000',
  })
  fee_amount: string;
  @Text({ description: "The caller's own name for the merchant", maxLength: 128, example: 'demo-merchant' })
  merchant_id: string;
}

export class CreateOrderRequest extends OrderTermsRequest {
  @Address({
    description: 'Address of the payer on the pay chain; receives refunds of cross-chain payments',
    receivesMoney: true,
    example: '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266',
  })
  payer_address: string;
}

/** Argument of the payment contract's `pay`; there `order_id` is the uuid's 16 bytes. */
export class PaymentOrder {
  @Text({ description: "Id of the order; the contract takes the uuid's 16 bytes", example: orderIdExample })
  order_id: string;
  @Text({ description: 'Symbol of the token that the payer pays with', example: 'USDC' })
  token_in: string;
  @Text({ description: 'Symbol of the token that the merchant receives', example: 'USDC' })
  token_out: string;
  @Amount({ description: 'merchant_amount plus fee_amount', example: '1005000' })
  amount_in: string;
  @Address({
    description: 'Contract of the pay token; the zero address for the native coin',
    example: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
  })
  token_in_address: string;
  @Address({ description: 'Receiving address of the merchant' })
  merchant: string;
  @Amount({ description: 'Amount that the merchant receives', example: '1000000' })
  merchant_amount: string;
  @Address({
    description: 'Receives the fee; the zero address when no receiver was given and the fee is 0',
    example: '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC',
  })
  fee_receiver: string;
  @Amount({ description: 'Fee amount', allowZero: true, example: '5000' })
  fee_amount: string;
  @Integer({ description: 'Unix seconds; the contract rejects later payments', example: 1795177800 })
  deadline: number;
}

export class TonMessage {
  @Text({
    description: 'Contract that the wallet sends to',
    example: 'EQDKbjIcfM6ezt8KjKJJLshZJJSqX7XOA4ff-W72r5gqPrHF',
  })
  address: string;
  @Amount({
    description: 'Nanotons, fees of the payment included; what is not used comes back',
    example: '150000000',
  })
  amount: string;
  @Text({ description: 'Body, a BoC in base64', maxLength: 16_384, example: 'te6ccgEBAQEAAgAAAA==' })
  payload: string;
  @Text({
    description: 'Code and data of a new contract, a BoC in base64; null for none',
    nullable: true,
    maxLength: 65_536,
    example: null,
  })
  stateInit: string | null;
}

export class TonCall {
  @Integer({ description: 'Unix seconds after which wallets must not send it', example: 1795177800 })
  validUntil: number;
  @ListOf(() => TonMessage, { description: 'Messages, one to four', maxItems: 4 })
  messages: TonMessage[];
}

// 1,232 bytes, the most that a packet of Solana carries.
const maxSolanaBase64 = 1_644;
// 128 KiB, the limit of Sui's transactions.
const maxSuiBase64 = 174_764;

export class SolanaCall {
  @Text({
    description: 'Message to sign, base64; the payer is the only signer',
    maxLength: maxSolanaBase64,
    example: 'AQABAg==',
  })
  message: string;
  @Text({
    description: 'The same as a transaction with an empty signature, base64',
    maxLength: maxSolanaBase64,
    example: 'AQABAg==',
  })
  transaction: string;
  @Integer({ description: 'No block after this height includes it', example: 301234567 })
  last_valid_block_height: number;
}

export class TronTransaction {
  @Text({ description: 'Hash of the transaction', example: txExample.slice(2) })
  txID: string;
  @Text({ description: 'Bytes of the transaction, hexadecimal', maxLength: 16_384, example: '0a02b1c2' })
  raw_data_hex: string;
  @Text({
    description: 'The same as JSON text: `JSON.parse` gives `raw_data` of tronweb',
    maxLength: 16_384,
    example: '{}',
  })
  raw_data: string;
}

export class TronCall {
  @Nested(() => TronTransaction, {
    description: 'Approval of the token, to send first; null for the coin',
    nullable: true,
  })
  approval: TronTransaction | null;
  @Nested(() => TronTransaction, { description: 'The payment' })
  transaction: TronTransaction;
}

export class SuiCall {
  @Text({
    description: 'BCS of the transaction kind, base64; the wallet adds its gas',
    maxLength: maxSuiBase64,
    example: 'AAABAQ==',
  })
  transaction_kind: string;
}

export const walletCallFamilies = ['ton', 'solana', 'tron', 'sui'] as const;

/** The payment in the form that wallets of the chain take. */
export class DirectWalletCall {
  @OneOf(walletCallFamilies, { description: 'Kind of chain; names the field that is set', example: 'ton' })
  family: (typeof walletCallFamilies)[number];
  @Nested(() => TonCall, { description: "Parameters of TON Connect's `sendTransaction`", nullable: true })
  ton: TonCall | null;
  @Nested(() => SolanaCall, { description: 'For wallets of Solana', nullable: true, example: null })
  solana: SolanaCall | null;
  @Nested(() => TronCall, { description: 'For wallets of Tron', nullable: true, example: null })
  tron: TronCall | null;
  @Nested(() => SuiCall, { description: 'For wallets of Sui', nullable: true, example: null })
  sui: SuiCall | null;
}

export class DirectPayment {
  @Address({
    description: 'Payment contract to call',
    example: '0x5FbDB2315678afecb367f032d93F642f64180aa3',
  })
  contract_address: string;
  @ChainName({ description: 'Chain of the contract' })
  chain: string;
  @Nested(() => PaymentOrder, { description: 'Argument of `pay`' })
  payment_order: PaymentOrder;
  @Nested(() => DirectWalletCall, {
    description:
      'The payment as a call that the wallet of `payer_address` signs and sends. Null on EVM chains, where the wallet calls `pay` with `payment_order`, and while no node of the chain answers. Calls expire after a minute or so: `GET /api/v1/pay/order/{id}/wallet-call` makes a new one',
    nullable: true,
    optional: true,
    example: null,
  })
  wallet_call?: DirectWalletCall | null;
}

export class CrossChainDeposit {
  @Address({
    description: 'Deposit address',
    example: 'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq',
  })
  deposit_address: string;
  @Text({
    description:
      'Memo that the transfer must carry, otherwise the funds are lost; null when the chain needs none',
    nullable: true,
    example: null,
  })
  deposit_memo: string | null;
  @ChainName({ description: 'Chain of the deposit', example: 'btc' })
  deposit_blockchain: string;
  @TokenSymbol({ description: 'Token of the deposit', example: 'BTC' })
  deposit_token: string;
  @Amount({ description: 'Amount of the deposit, smallest unit', example: '1650' })
  deposit_amount: string;
  @Text({ description: 'The same amount, formatted in whole tokens', example: '0.0000165' })
  deposit_amount_formatted: string;
  @Integer({ description: 'Seconds from deposit to settlement', example: 120 })
  estimated_time: number;
}

/** The route provider pays no fee on a chain: it credits an account inside of it. */
export class CrossChainFee {
  @Amount({
    description: 'The fee, smallest unit of the settle token; the provider rounds it up to basis points',
    example: '250000',
  })
  amount: string;
  @OneOf(['fee_receiver', 'operator'], {
    description:
      '`fee_receiver`: the account that the key of `fee_receiver` controls. `operator`: the account of the deployment, since `fee_receiver` can have none',
    example: 'fee_receiver',
  })
  paid_to: 'fee_receiver' | 'operator';
  @Text({
    description: 'The account at the route provider',
    example: '0x3c44cdddb6a900fa2b585dd299e03d12fa4293bc',
  })
  account: string;
  @Text({
    description: 'Why it is paid there, and what the receiver has to do',
    maxLength: 500,
    example:
      'The route provider credits fees inside NEAR Intents. The key of fee_receiver controls this account, and withdraws the fee to any chain.',
  })
  reason: string;
}

export class CrossChainPayment extends CrossChainDeposit {
  @Nested(() => CrossChainFee, {
    description: 'In the reply of create-order: where the fee is paid; null without a fee',
    nullable: true,
    optional: true,
    example: null,
  })
  fee?: CrossChainFee | null;
}

export const depositStates = [
  'waiting',
  'seen',
  'incomplete',
  'processing',
  'delivered',
  'refunded',
  'failed',
] as const;
export const settlementProofs = ['chain', 'provider'] as const;
export const forwardingStates = ['pending', 'manual', 'sent', 'closed'] as const;
export type ForwardingState = (typeof forwardingStates)[number];

/** A refund that arrived in the operator's refund account, because the order has no payer. */
export class ForwardedRefund {
  @OneOf(forwardingStates, {
    description:
      '`pending`: being forwarded to the sender of the deposit. `manual`: an operator has to decide. `sent`: final on the chain. `closed`: an operator resolved it outside the system',
    example: 'sent',
  })
  state: ForwardingState;
  @Amount({
    description: 'Forwarded amount, or the amount to forward, smallest unit of the pay token',
    example: '1650',
  })
  amount: string;
  @Address({
    description: 'Sender of the deposit; null while unknown',
    nullable: true,
    example: null,
  })
  recipient: string | null;
  @Text({ description: 'Forwarding transaction; null before', nullable: true, example: txExample })
  tx_hash: string | null;
}

/** Deposit of a cross-chain order. */
export class DepositView extends CrossChainDeposit {
  @OneOf(depositStates, { description: 'Status of the deposit', example: 'processing' })
  deposit_status: (typeof depositStates)[number];
  @Amount({
    description: 'Received amount, smallest unit',
    nullable: true,
    allowZero: true,
    example: '1650',
  })
  deposited_amount: string | null;
  @Amount({
    description: 'Refunded amount, smallest unit',
    nullable: true,
    allowZero: true,
    example: null,
  })
  refunded_amount: string | null;
  @OneOf(settlementProofs, {
    description:
      'Source of the settlement: read on the chain, or reported by the route provider when no node is configured',
    nullable: true,
    example: null,
  })
  settlement_proof: (typeof settlementProofs)[number] | null;
  @ListOf(() => ForwardedRefund, {
    description:
      "Refunds that arrived in the operator's refund account, newest first; empty for an order with a payer, which the route provider refunds directly",
    maxItems: 20,
  })
  forwarded_refunds: ForwardedRefund[];
}

export class CreateOrderReply {
  static readonly variants: Variants = {
    by: 'method',
    each: {
      Direct: { name: 'DirectOrderCreated', present: ['direct'], absent: ['cross_chain'] },
      CrossChain: { name: 'CrossChainOrderCreated', present: ['cross_chain'], absent: ['direct'] },
    },
  };
  @Text({ description: 'Id of the order', format: 'uuid', example: orderIdExample })
  order_id: string;
  @OneOf(payMethods, { description: 'Payment method', example: 'Direct' })
  method: PayMethod;
  @Nested(() => DirectPayment, {
    description: 'Contract call that pays the order; null unless method is Direct',
    nullable: true,
  })
  direct: DirectPayment | null;
  @Nested(() => CrossChainPayment, {
    description: 'Deposit that pays the order; null unless method is CrossChain',
    nullable: true,
    example: null,
  })
  cross_chain: CrossChainPayment | null;
  @Timestamp({ description: 'Expiry of the order', example: '2026-11-20T12:30:00.000Z' })
  expires_at: string;
}

export class ReportTransactionRequest {
  @Text({ description: 'Id of the order', maxLength: 64, example: orderIdExample })
  id: string;
  @Text({
    description: 'Hash of the transaction that pays the order',
    maxLength: 128,
    // EVM chains use 0x and 64 hexadecimal digits; other chains use hexadecimal, base58 or base64.
    pattern: /^[A-Za-z0-9+/=_-]{40,128}$/,
    patternMessage: "must be a transaction hash of the order's chain",
    example: txExample,
  })
  tx_hash: string;
}

export class ReportTransactionReply {
  @Flag({ description: 'Always true', example: true })
  ok: boolean;
  @OneOf(['settling'], { description: 'Status of the order', example: 'settling' })
  status: 'settling';
}

export class OrderQuery {
  @Text({ description: 'Id of the order', maxLength: 64, example: orderIdExample })
  id: string;
}

export class WalletCallQuery extends OrderQuery {
  @Address({
    description: 'Wallet that pays, on the chain of the order; need not be the `payer_address` of the order',
    example: '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266',
  })
  payer: string;
}

export class WalletCallReply {
  @Text({ description: 'Id of the order', format: 'uuid', example: orderIdExample })
  order_id: string;
  @ChainName({ description: 'Chain of the payment', example: 'solana' })
  chain: string;
  @Address({
    description: 'Contract that takes a direct payment; null for a deposit',
    nullable: true,
    example: '83astBRguLMdt2h5U1Tpdq5tjFoJ6noeGwaY3mDLVcri',
  })
  contract_address: string | null;
  @Address({
    description: 'Deposit address that the transfer goes to; null for a direct payment',
    nullable: true,
    optional: true,
    example: null,
  })
  deposit_address?: string | null;
  @Nested(() => PaymentOrder, {
    description:
      'The argument of `pay` of the contract, as in the reply of create-order, for wallets of EVM chains; null for a deposit',
    nullable: true,
    optional: true,
    example: null,
  })
  payment_order?: PaymentOrder | null;
  @Nested(() => DirectWalletCall, {
    description:
      'The payment as a call that this wallet signs and sends. Null on EVM chains, where the wallet calls `pay` with the `payment_order` of the order or transfers to the deposit address, and on Sui while the coins of the wallet do not cover the amount',
    nullable: true,
    example: null,
  })
  wallet_call: DirectWalletCall | null;
}

export const reportOutcomes = ['pending', 'paid', 'rejected'] as const;

/** The newest transaction that a client reported for the order. Anyone may report: only the chain decides. */
export class LastReport {
  @Text({ description: 'Reported transaction', example: txExample })
  tx_hash: string;
  @OneOf(reportOutcomes, {
    description:
      '`pending`: the chain has not decided. `paid`: it pays the order. `rejected`: it does not pay the order; the order goes on waiting, or was paid by another transaction',
    example: 'rejected',
  })
  outcome: (typeof reportOutcomes)[number];
  @Text({
    description: 'Why it does not pay the order: `CODE: sentence`; null unless rejected',
    nullable: true,
    maxLength: 1000,
    example: 'NO_PAYMENT: the reported transaction does not call the payment contract',
  })
  reason: string | null;
  @Timestamp({ description: 'Time of the report', example: '2026-11-20T12:00:05.000Z' })
  reported_at: string;
}

export const orderExceptionKinds = ['transfer', 'deposit', 'refund'] as const;
export type OrderExceptionKind = (typeof orderExceptionKinds)[number];

/** Money of an order that moved in another way than its status shows. */
export class OrderException {
  @Uuid({ description: 'Id of the exception', example: '0198f3a2-7c5e-7d41-9a55-3f0e2c1b4a6e' })
  id: string;
  @OneOf(orderExceptionKinds, {
    description:
      '`transfer`: a plain transfer to the address of the merchant, or a second payment by the contract (`PAID_TWICE`). `deposit`: the deposit address received more after the order had ended. `refund`: the route provider sent money back after the order had ended',
    example: 'transfer',
  })
  kind: OrderExceptionKind;
  @ChainName({ description: 'Chain of the money' })
  chain: string;
  @TokenSymbol({ description: 'Token of the money' })
  token: string;
  @Amount({ description: 'Amount, smallest unit', example: '500000' })
  amount: string;
  @Text({
    description: 'Transaction; null where the provider names none',
    nullable: true,
    example: txExample,
  })
  tx_hash: string | null;
  @Text({
    description: 'Why it does not settle the order: `CODE: sentence`',
    maxLength: 1000,
    example: 'PARTIAL_TRANSFER: the merchant received 500000 of 1000000',
  })
  reason: string;
  @Timestamp({ description: 'When it was found', example: '2026-11-20T12:00:09.000Z' })
  seen_at: string;
}

export class OrderReply {
  static readonly variants: Variants = {
    by: 'method',
    each: {
      Direct: { name: 'DirectOrder', absent: ['cross_chain'] },
      CrossChain: { name: 'CrossChainOrder', present: ['cross_chain'] },
    },
  };
  @Text({ description: 'Id of the order', format: 'uuid', example: orderIdExample })
  order_id: string;
  @OneOf(orderStatuses, { description: 'Status', example: 'settled' })
  status: OrderStatus;
  @OneOf(payMethods, { description: 'Payment method', example: 'Direct' })
  method: PayMethod;
  @Text({
    description: 'Transaction of the payer, submitted or found',
    nullable: true,
    example: txExample,
  })
  pay_tx: string | null;
  @Text({ description: 'Transaction that paid the merchant', nullable: true, example: txExample })
  settle_tx: string | null;
  @Amount({ description: 'Amount that the merchant received', nullable: true, example: '1000000' })
  settled_amount: string | null;
  @Text({ description: 'Chain that the payer pays on', example: 'eip155:8453' })
  pay_blockchain: string;
  @Text({ description: 'Token that the payer pays with', example: 'USDC' })
  pay_token: string;
  @Text({ description: 'Chain that the merchant is paid on', example: 'eip155:8453' })
  settle_chain: string;
  @Text({ description: 'Token that the merchant is paid in', example: 'USDC' })
  settle_token: string;
  @Amount({ description: 'Amount owed to the merchant', example: '1000000' })
  merchant_amount: string;
  @Amount({ description: 'Fee amount', allowZero: true, example: '5000' })
  fee_amount: string;
  @Text({ description: "The caller's own name for the merchant", example: 'demo-merchant' })
  merchant_id: string;
  @Text({
    description: 'Why the order failed: `CODE: sentence`',
    nullable: true,
    maxLength: 1000,
    example: null,
  })
  failure_reason: string | null;
  @Flag({ description: 'Whether the payment arrived after the order failed or expired', example: false })
  late: boolean;
  @Nested(() => LastReport, {
    description: 'The newest transaction that a client reported; null without a report',
    nullable: true,
    example: null,
  })
  last_report: LastReport | null;
  @ListOf(() => OrderException, {
    description: 'Money that moved in another way than the status shows, newest first',
    maxItems: 20,
  })
  exceptions: OrderException[];
  @Integer({
    description: 'Confirmations of the payment, at most `required_confirmations`',
    example: 3,
  })
  confirmations: number;
  @Integer({ description: 'Confirmations after which the payment is settled', example: 3 })
  required_confirmations: number;
  @Nested(() => DepositView, {
    description: 'Deposit of a cross-chain order; null for a direct one',
    nullable: true,
    example: null,
  })
  cross_chain: DepositView | null;
  @Integer({
    description: 'Version of the order: increases with each event of the order, not with confirmations',
    min: 0,
    example: 3,
  })
  version: number;
  @Timestamp({ description: 'Expiry of the order', example: '2026-11-20T12:30:00.000Z' })
  expires_at: string;
  @Timestamp({ description: 'Creation time', example: '2026-11-20T12:00:00.000Z' })
  created_at: string;
  @Timestamp({ description: 'Time of the last change', example: '2026-11-20T12:00:07.000Z' })
  updated_at: string;
}

export class OrdersQuery {
  @Address({ description: 'Address of the payer', example: '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266' })
  payer: string;
  @Limit(20)
  limit?: number;
  @Cursor({
    maxLength: 128,
    example: 'MDE5OGYzYTItN2M1ZS03ZDQxLTlhNTUtM2YwZTJjMWI0YTZk',
  })
  cursor?: string;
}

export class OrdersReply {
  @ListOf(() => OrderReply, { description: 'Newest first', maxItems: 100 })
  orders: OrderReply[];
  @Integer({ description: 'Number of `orders` in this reply', example: 1 })
  count: number;
  @UsedLimit(20)
  limit: number;
  @NextCursor()
  next_cursor: string | null;
}

export const ordersApi = feature('pay-orders', 'orders', 'Orders', {
  createOrder: operation({
    method: 'POST',
    path: '/api/v1/pay/create-order',
    summary: 'Create an order',
    description:
      'Returns the contract call that the payer makes, or the deposit address when the order crosses chains. An unpaid order expires after 30 minutes.',
    input: CreateOrderRequest,
    output: CreateOrderReply,
    // A committed quote of the route provider can be slow.
    timeoutMs: 20_000,
    errors: ['BUDGET_EXCEEDED', 'MAX_PER_TX_EXCEEDED', 'ROUTE_UNAVAILABLE', 'UPSTREAM_UNAVAILABLE'],
    auth: 'public',
  }),
  reportTransaction: operation({
    operationId: 'reportOrderTransaction',
    method: 'POST',
    path: '/api/v1/pay/order/{id}/tx',
    summary: 'Submit the transaction that pays an order',
    description:
      'Optional, but faster: the service also finds payments on the chain by itself. A transaction that does not pay the order puts it back to `waiting_payment`, with the reason in `last_report`. While another reported transaction is looked up, a report is accepted once the chain shows that it pays the order.',
    input: ReportTransactionRequest,
    output: ReportTransactionReply,
    errors: ['ORDER_NOT_WAITING', 'TX_ALREADY_REPORTED'],
    auth: 'public',
  }),
  getOrder: operation({
    method: 'GET',
    path: '/api/v1/pay/order/{id}',
    summary: 'Read an order',
    input: OrderQuery,
    output: OrderReply,
    errors: ['NOT_FOUND'],
    auth: 'public',
  }),
  walletCall: operation({
    operationId: 'getOrderWalletCall',
    method: 'GET',
    path: '/api/v1/pay/order/{id}/wallet-call',
    summary: 'Make the call by which a wallet pays an order',
    description:
      'For orders that wait for their payment: the call of the payment contract, or the transfer to the deposit address of exactly the amount, or of what is missing of it, with its memo. The call contains what expires soon, such as a recent block: make it when the payer is about to sign.',
    input: WalletCallQuery,
    output: WalletCallReply,
    errors: ['NOT_FOUND', 'ORDER_NOT_WAITING', 'ROUTE_UNAVAILABLE', 'UPSTREAM_UNAVAILABLE'],
    auth: 'public',
    isCostly: true,
  }),
  listOrders: operation({
    method: 'GET',
    path: '/api/v1/pay/orders',
    summary: 'List the orders of a payer',
    input: OrdersQuery,
    output: OrdersReply,
    errors: [],
    auth: 'public',
  }),
});
