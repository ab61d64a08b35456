import { feature, operation, type Variants } from '@tollbridge/rpc';
import { maxTokenAmount } from '@tollbridge/money';
import { Amount, Flag, Integer, ListOf, Nested, OneOf, Text, Timestamp, Unsigned, Uuid } from '../decorators';
import { Cursor, Limit, NextCursor, UsedLimit } from '../list-fields';
import {
  Address,
  ChainName,
  orderIdExample,
  payerExample,
  TokenSymbol,
  txExample,
  TxHash,
  usdcExample,
  walletExample,
} from './fields';
import { payMethods, type PayMethod } from './quotes.api';
import { ExchangeRate, Price, PriceOf, RateOf } from '../price-fields';
import { Id } from '../shared-fields';

export const orderStatuses = ['waiting_payment', 'settling', 'settled', 'failed', 'expired'] as const;
export type OrderStatus = (typeof orderStatuses)[number];

const PayChain = () => ChainName('Chain that the payer pays on');
const PayToken = () => TokenSymbol('Token that the payer pays with');
const SettleChain = () => ChainName('Chain that the merchant is paid on');
const SettleToken = () => TokenSymbol('Token that the merchant is paid in');
const MerchantAddress = () => Address('Receives the payment, on the settle chain', { receivesMoney: true });
const merchantAmount = 'Exact amount that the merchant receives, smallest unit of the settle token';
const FeeReceiver = () =>
  Address('Receives the fee, on the settle chain; may be empty or the zero address when `fee_amount` is 0', {
    minLength: 0,
    receivesMoney: true,
    example: '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC',
  });
const FeeAmount = () =>
  Amount('Fee on top of the merchant amount; at most the merchant amount', {
    allowZero: true,
    max: maxTokenAmount,
    example: '5000',
  });
const MerchantName = () =>
  Text("The caller's own name for the merchant", { maxLength: 128, example: 'demo-merchant' });

/** Terms of an order without a payer. */
export class OrderTermsRequest {
  @PayChain() pay_blockchain: string;
  @PayToken() pay_token: string;
  @SettleChain() settle_chain: string;
  @SettleToken() settle_token: string;
  @MerchantAddress() merchant_address: string;
  @Amount(merchantAmount, { max: maxTokenAmount }) merchant_amount: string;
  @FeeReceiver() fee_receiver: string;
  @FeeAmount() fee_amount: string;
  @MerchantName() merchant_id: string;
}

export class CreateOrderRequest {
  // Without `price`, which excludes `merchant_amount`.
  static readonly example = {
    pay_blockchain: 'eip155:8453',
    pay_token: 'USDC',
    settle_chain: 'eip155:8453',
    settle_token: 'USDC',
    merchant_address: walletExample,
    merchant_amount: '1000000',
    fee_receiver: '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC',
    fee_amount: '5000',
    merchant_id: 'demo-merchant',
    payer_address: payerExample,
  };
  @PayChain() pay_blockchain: string;
  @PayToken() pay_token: string;
  @SettleChain() settle_chain: string;
  @SettleToken() settle_token: string;
  @MerchantAddress() merchant_address: string;
  @Amount(`${merchantAmount}. Send either \`merchant_amount\` or \`price\``, {
    max: maxTokenAmount,
    requiredUnless: 'price',
  })
  merchant_amount?: string;
  @Nested(
    () => Price,
    'Price in a currency of ISO 4217. It is converted to the settle token at the current rate, for the lifetime of the order',
    { optional: true },
  )
  price?: Price;
  @FeeReceiver() fee_receiver: string;
  @FeeAmount() fee_amount: string;
  @MerchantName() merchant_id: string;
  @Address('Address of the payer on the pay chain; receives refunds of cross-chain payments', {
    receivesMoney: true,
    example: payerExample,
  })
  payer_address: string;
}

/** Argument of the payment contract's `pay`, with the 16 bytes of the UUID as `order_id`. */
export class PaymentOrder {
  @Text("Id of the order; the contract takes the uuid's 16 bytes", { example: orderIdExample })
  order_id: string;
  @Text('Symbol of the token that the payer pays with', { example: 'USDC' }) token_in: string;
  @Text('Symbol of the token that the merchant receives', { example: 'USDC' }) token_out: string;
  @Amount('merchant_amount plus fee_amount', { example: '1005000' }) amount_in: string;
  @Address('Contract of the pay token; the zero address for the native coin', { example: usdcExample })
  token_in_address: string;
  @Address('Receiving address of the merchant') merchant: string;
  @Amount('Amount that the merchant receives') merchant_amount: string;
  @Address('Receives the fee; the zero address when no receiver was given and the fee is 0', {
    example: '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC',
  })
  fee_receiver: string;
  @Amount('Fee amount', { allowZero: true, example: '5000' }) fee_amount: string;
  @Integer('Unix seconds; the contract rejects later payments', { example: 1795177800 }) deadline: number;
}

export class TonMessage {
  @Text('Contract that the wallet sends to', { example: 'EQDKbjIcfM6ezt8KjKJJLshZJJSqX7XOA4ff-W72r5gqPrHF' })
  address: string;
  @Amount('Nanotons, fees of the payment included; what is not used comes back', { example: '150000000' })
  amount: string;
  @Text('Body, a BoC in base64', { maxLength: 16_384, example: 'te6ccgEBAQEAAgAAAA==' }) payload: string;
  @Text('Code and data of a new contract, a BoC in base64; null for none', {
    nullable: true,
    maxLength: 65_536,
  })
  stateInit: string | null;
}

export class TonCall {
  @Integer('Deadline in Unix seconds: wallets must not send it later', { example: 1795177800 })
  validUntil: number;
  @ListOf(() => TonMessage, 'Messages, one to four', { maxItems: 4 }) messages: TonMessage[];
}

// 1,232 bytes in base64, the maximum size of a Solana packet.
const maxSolanaBase64 = 1_644;
// 128 KiB in base64, the maximum size of a Sui transaction.
const maxSuiBase64 = 174_764;

export class SolanaCall {
  @Text('Message to sign, base64; the payer is the only signer', {
    maxLength: maxSolanaBase64,
    example: 'AQABAg==',
  })
  message: string;
  @Text('The same as a transaction with an empty signature, base64', {
    maxLength: maxSolanaBase64,
    example: 'AQABAg==',
  })
  transaction: string;
  @Integer('No block after this height includes it', { example: 301234567 }) last_valid_block_height: number;
}

export class TronTransaction {
  @Text('Hash of the transaction', { example: txExample.slice(2) }) txID: string;
  @Text('Bytes of the transaction, hexadecimal', { maxLength: 16_384, example: '0a02b1c2' })
  raw_data_hex: string;
  @Text('The same as JSON text: `JSON.parse` gives `raw_data` of tronweb', {
    maxLength: 16_384,
    example: '{}',
  })
  raw_data: string;
}

export class TronCall {
  @Nested(() => TronTransaction, 'Approval of the token, to send first; null for the coin', {
    nullable: true,
  })
  approval: TronTransaction | null;
  @Nested(() => TronTransaction, 'The payment') transaction: TronTransaction;
}

export class SuiCall {
  @Text('BCS of the transaction kind, base64; the wallet adds its gas', {
    maxLength: maxSuiBase64,
    example: 'AAABAQ==',
  })
  transaction_kind: string;
}

export const walletCallFamilies = ['ton', 'solana', 'tron', 'sui'] as const;

/** The payment in the form that wallets of the chain accept. */
export class DirectWalletCall {
  @OneOf(walletCallFamilies, 'Kind of chain; names the field that is set')
  family: (typeof walletCallFamilies)[number];
  @Nested(() => TonCall, "Parameters of TON Connect's `sendTransaction`", { nullable: true })
  ton: TonCall | null;
  @Nested(() => SolanaCall, 'For wallets of Solana', { nullable: true, example: null })
  solana: SolanaCall | null;
  @Nested(() => TronCall, 'For wallets of Tron', { nullable: true, example: null }) tron: TronCall | null;
  @Nested(() => SuiCall, 'For wallets of Sui', { nullable: true, example: null }) sui: SuiCall | null;
}

export class DirectPayment {
  @Address('Payment contract to call', { example: '0x5FbDB2315678afecb367f032d93F642f64180aa3' })
  contract_address: string;
  @ChainName('Chain of the contract') chain: string;
  @Nested(() => PaymentOrder, 'Argument of `pay`') payment_order: PaymentOrder;
  @Nested(
    () => DirectWalletCall,
    'The payment as a call that the wallet of `payer_address` signs and sends. Null on EVM chains, where the wallet calls `pay` with `payment_order`, and while no node of the chain answers. Calls expire after a minute or so: `GET /api/v1/pay/order/{id}/wallet-call` makes a new one',
    { nullable: true, optional: true, example: null },
  )
  wallet_call?: DirectWalletCall | null;
}

export class CrossChainDeposit {
  @Address('Deposit address', { example: 'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq' })
  deposit_address: string;
  @Text('Memo that the transfer must carry, otherwise the funds are lost; null when the chain needs none', {
    nullable: true,
  })
  deposit_memo: string | null;
  @ChainName('Chain of the deposit', { example: 'btc' }) deposit_blockchain: string;
  @TokenSymbol('Token of the deposit', { example: 'BTC' }) deposit_token: string;
  @Amount('Amount of the deposit, smallest unit', { example: '1650' }) deposit_amount: string;
  @Text('The same amount, formatted in whole tokens', { example: '0.0000165' })
  deposit_amount_formatted: string;
  @Integer('Seconds from deposit to settlement', { example: 120 }) estimated_time: number;
}

/**
 * The fee of a cross-chain order. The route provider does not pay it on a chain, but credits it to an account at the
 * provider.
 */
export class CrossChainFee {
  @Amount('The fee, smallest unit of the settle token; the provider rounds it up to basis points', {
    example: '250000',
  })
  amount: string;
  @OneOf(
    ['fee_receiver', 'operator'],
    '`fee_receiver`: the account that the key of `fee_receiver` controls. `operator`: the account of the deployment, since `fee_receiver` can have none',
  )
  paid_to: 'fee_receiver' | 'operator';
  @Text('The account at the route provider', { example: '0x3c44cdddb6a900fa2b585dd299e03d12fa4293bc' })
  account: string;
  @Text('Why it is paid there, and what the receiver has to do', {
    maxLength: 500,
    example:
      'The route provider credits fees inside NEAR Intents. The key of fee_receiver controls this account, and withdraws the fee to any chain.',
  })
  reason: string;
}

export class CrossChainPayment extends CrossChainDeposit {
  @Nested(() => CrossChainFee, 'In the reply of create-order: where the fee is paid; null without a fee', {
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

/** A refund that arrived in the operator's refund account because the order has no payer. */
export class ForwardedRefund {
  @OneOf(
    forwardingStates,
    '`pending`: being forwarded to the sender of the deposit. `manual`: an operator has to decide. `sent`: final on the chain. `closed`: an operator resolved it outside the system',
    { example: 'sent' },
  )
  state: ForwardingState;
  @Amount('Forwarded amount, or the amount to forward, smallest unit of the pay token', { example: '1650' })
  amount: string;
  @Address('Sender of the deposit; null while unknown', { nullable: true, example: null })
  recipient: string | null;
  @TxHash('Forwarding transaction; null before', { nullable: true }) tx_hash: string | null;
}

/** Deposit of a cross-chain order. */
export class DepositView extends CrossChainDeposit {
  @OneOf(depositStates, 'Status of the deposit', { example: 'processing' })
  deposit_status: (typeof depositStates)[number];
  @Amount('Received amount, smallest unit', { nullable: true, allowZero: true, example: '1650' })
  deposited_amount: string | null;
  @Amount('Refunded amount, smallest unit', { nullable: true, allowZero: true })
  refunded_amount: string | null;
  @OneOf(
    settlementProofs,
    'Source of the settlement: read on the chain, or reported by the route provider when no node is configured',
    { nullable: true },
  )
  settlement_proof: (typeof settlementProofs)[number] | null;
  @ListOf(
    () => ForwardedRefund,
    "Refunds that arrived in the operator's refund account, newest first; empty for an order with a payer, which the route provider refunds directly",
    { maxItems: 20 },
  )
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
  @Id('Id of the order') order_id: string;
  @OneOf(payMethods, 'Payment method') method: PayMethod;
  @Nested(() => DirectPayment, 'Contract call that pays the order; null unless method is Direct', {
    nullable: true,
  })
  direct: DirectPayment | null;
  @Nested(() => CrossChainPayment, 'Deposit that pays the order; null unless method is CrossChain', {
    nullable: true,
    example: null,
  })
  cross_chain: CrossChainPayment | null;
  @PriceOf('The price; absent in an order with an amount of the token') price?: Price;
  @RateOf('Rate that the amount was fixed at; absent without a price') rate?: ExchangeRate;
  @Timestamp('Expiry of the order', { example: '2026-11-20T12:30:00.000Z' }) expires_at: string;
}

export class ReportTransactionRequest {
  @Text('Id of the order', { maxLength: 64, example: orderIdExample }) id: string;
  @TxHash('Hash of the transaction that pays the order', {
    maxLength: 128,
    // EVM chains use 0x and 64 hexadecimal digits. Other chains use hexadecimal, base58 or base64.
    pattern: /^[A-Za-z0-9+/=_-]{40,128}$/,
    patternMessage: "must be a transaction hash of the order's chain",
  })
  tx_hash: string;
}

export class ReportTransactionReply {
  @Flag('Always true') ok: boolean;
  @OneOf(['settling'], 'Status of the order') status: 'settling';
}

export class OrderQuery {
  @Text('Id of the order', { maxLength: 64, example: orderIdExample }) id: string;
}

export class WalletCallQuery extends OrderQuery {
  @Address('Wallet that pays, on the chain of the order; need not be the `payer_address` of the order', {
    example: payerExample,
  })
  payer: string;
}

export class WalletCallReply {
  @Id('Id of the order') order_id: string;
  @ChainName('Chain of the payment', { example: 'solana' }) chain: string;
  @Address('Contract that takes a direct payment; null for a deposit', {
    nullable: true,
    example: '83astBRguLMdt2h5U1Tpdq5tjFoJ6noeGwaY3mDLVcri',
  })
  contract_address: string | null;
  @Address('Deposit address that the transfer goes to; null for a direct payment', {
    nullable: true,
    optional: true,
    example: null,
  })
  deposit_address?: string | null;
  @Nested(
    () => PaymentOrder,
    'The argument of `pay` of the contract, as in the reply of create-order, for wallets of EVM chains; null for a deposit',
    { nullable: true, optional: true, example: null },
  )
  payment_order?: PaymentOrder | null;
  @Nested(
    () => DirectWalletCall,
    'The payment as a call that this wallet signs and sends. Null on EVM chains, where the wallet calls `pay` with the `payment_order` of the order or transfers to the deposit address, and on Sui while the coins of the wallet do not cover the amount',
    { nullable: true, example: null },
  )
  wallet_call: DirectWalletCall | null;
}

export const reportOutcomes = ['pending', 'paid', 'rejected'] as const;

/**
 * The newest transaction that a client submitted for the order. Any client may submit; only the chain determines the
 * result.
 */
export class LastReport {
  @TxHash('Reported transaction') tx_hash: string;
  @OneOf(
    reportOutcomes,
    '`pending`: the chain has not decided. `paid`: it pays the order. `rejected`: it does not pay the order; the order goes on waiting, or was paid by another transaction',
    { example: 'rejected' },
  )
  outcome: (typeof reportOutcomes)[number];
  @Text('Why it does not pay the order: `CODE: sentence`; null unless rejected', {
    nullable: true,
    maxLength: 1000,
    example: 'NO_PAYMENT: the reported transaction does not call the payment contract',
  })
  reason: string | null;
  @Timestamp('Time of the report', { example: '2026-11-20T12:00:05.000Z' }) reported_at: string;
}

export const orderExceptionKinds = ['transfer', 'deposit', 'refund'] as const;
export type OrderExceptionKind = (typeof orderExceptionKinds)[number];

/** A transfer for an order that is not part of the order's status. */
export class OrderException {
  @Uuid('Id of the exception', { example: '0198f3a2-7c5e-7d41-9a55-3f0e2c1b4a6e' }) id: string;
  @OneOf(
    orderExceptionKinds,
    '`transfer`: a plain transfer to the address of the merchant, or a second payment of a settled order (`PAID_TWICE`). `deposit`: the deposit address received more after the order had ended. `refund`: the route provider sent money back after the order had ended',
  )
  kind: OrderExceptionKind;
  @ChainName('Chain of the money') chain: string;
  @TokenSymbol('Token of the money') token: string;
  @Amount('Amount, smallest unit', { example: '500000' }) amount: string;
  @TxHash('Transaction; null where the provider names none', { nullable: true })
  tx_hash: string | null;
  @Text('Why it does not settle the order: `CODE: sentence`', {
    maxLength: 1000,
    example: 'PARTIAL_TRANSFER: the merchant received 500000 of 1000000',
  })
  reason: string;
  @Timestamp('When it was found', { example: '2026-11-20T12:00:09.000Z' }) seen_at: string;
}

export class OrderReply {
  static readonly variants: Variants = {
    by: 'method',
    each: {
      Direct: { name: 'DirectOrder', absent: ['cross_chain'] },
      CrossChain: { name: 'CrossChainOrder', present: ['cross_chain'] },
    },
  };
  @Id('Id of the order') order_id: string;
  @OneOf(orderStatuses, 'Status', { example: 'settled' }) status: OrderStatus;
  @OneOf(payMethods, 'Payment method') method: PayMethod;
  @TxHash('Transaction of the payer, submitted or found', { nullable: true })
  pay_tx: string | null;
  @TxHash('Transaction that paid the merchant', { nullable: true }) settle_tx: string | null;
  @Amount('Amount that the merchant received', { nullable: true, example: '1000000' })
  settled_amount: string | null;
  @Text('Chain that the payer pays on', { example: 'eip155:8453' }) pay_blockchain: string;
  @Text('Token that the payer pays with', { example: 'USDC' }) pay_token: string;
  @Text('Chain that the merchant is paid on', { example: 'eip155:8453' }) settle_chain: string;
  @Text('Token that the merchant is paid in', { example: 'USDC' }) settle_token: string;
  @Amount('Amount owed to the merchant') merchant_amount: string;
  @PriceOf('The price; absent in an order with an amount of the token') price?: Price;
  @RateOf('Rate that `merchant_amount` was fixed at; absent without a price') rate?: ExchangeRate;
  @Amount('Fee amount', { allowZero: true, example: '5000' }) fee_amount: string;
  @Text("The caller's own name for the merchant", { example: 'demo-merchant' }) merchant_id: string;
  @Text('Why the order failed: `CODE: sentence`', { nullable: true, maxLength: 1000 })
  failure_reason: string | null;
  @Flag('Whether the payment arrived after the order failed or expired', { example: false }) late: boolean;
  @Nested(() => LastReport, 'The newest transaction that a client reported; null without a report', {
    nullable: true,
    example: null,
  })
  last_report: LastReport | null;
  @ListOf(() => OrderException, 'Transfers that the status does not show, newest first', {
    maxItems: 20,
  })
  exceptions: OrderException[];
  @Integer('Confirmations of the payment, at most `required_confirmations`', { example: 3 })
  confirmations: number;
  @Integer('Confirmations that the payment needs to be settled', { example: 3 })
  required_confirmations: number;
  @Nested(() => DepositView, 'Deposit of a cross-chain order; null for a direct one', {
    nullable: true,
    example: null,
  })
  cross_chain: DepositView | null;
  @Unsigned('Version of the order: increases with each event of the order, not with confirmations', {
    example: 3,
  })
  version: number;
  @Timestamp('Expiry of the order', { example: '2026-11-20T12:30:00.000Z' }) expires_at: string;
  @Timestamp('Creation time') created_at: string;
  @Timestamp('Time of the last change', { example: '2026-11-20T12:00:07.000Z' }) updated_at: string;
}

export class OrdersQuery {
  @Address('Address of the payer', { example: payerExample }) payer: string;
  @Limit(20) limit?: number;
  @Cursor({ maxLength: 128, example: 'MDE5OGYzYTItN2M1ZS03ZDQxLTlhNTUtM2YwZTJjMWI0YTZk' })
  cursor?: string;
}

export class OrdersReply {
  @ListOf(() => OrderReply, 'Newest first', { maxItems: 100 }) orders: OrderReply[];
  @Integer('Number of `orders` in this reply', { example: 1 }) count: number;
  @UsedLimit(20) limit: number;
  @NextCursor() next_cursor: string | null;
}

export const ordersApi = feature('pay-orders', 'orders', 'Orders', {
  createOrder: operation('POST /api/v1/pay/create-order', {
    summary: 'Create an order',
    description:
      'Returns the contract call that the payer makes, or the deposit address when the order crosses chains. An unpaid order expires after 30 minutes.',
    input: CreateOrderRequest,
    output: CreateOrderReply,
    // A committed quote of the route provider may be slow.
    timeoutMs: 20_000,
    errors: [
      'BUDGET_EXCEEDED',
      'MAX_PER_TX_EXCEEDED',
      'RATE_UNAVAILABLE',
      'ROUTE_UNAVAILABLE',
      'UPSTREAM_UNAVAILABLE',
    ],
    auth: 'public',
  }),
  reportTransaction: operation('POST /api/v1/pay/order/{id}/tx', {
    operationId: 'reportOrderTransaction',
    summary: 'Submit the transaction that pays an order',
    description:
      'Optional, but faster: the service also finds payments on the chain by itself. A transaction that does not pay the order puts it back to `waiting_payment`, with the reason in `last_report`. While another reported transaction is looked up, a report is accepted once the chain shows that it pays the order.',
    input: ReportTransactionRequest,
    output: ReportTransactionReply,
    errors: ['ORDER_NOT_WAITING', 'TX_ALREADY_REPORTED'],
    auth: 'public',
  }),
  getOrder: operation('GET /api/v1/pay/order/{id}', {
    summary: 'Read an order',
    input: OrderQuery,
    output: OrderReply,
    errors: ['NOT_FOUND'],
    auth: 'public',
  }),
  walletCall: operation('GET /api/v1/pay/order/{id}/wallet-call', {
    operationId: 'getOrderWalletCall',
    summary: 'Make the wallet call that pays an order',
    description:
      'For orders that wait for their payment: the call of the payment contract, or the transfer to the deposit address of exactly the amount, or of what is missing of it, with its memo. The call contains what expires soon, such as a recent block: make it when the payer is about to sign.',
    input: WalletCallQuery,
    output: WalletCallReply,
    errors: ['NOT_FOUND', 'ORDER_NOT_WAITING', 'ROUTE_UNAVAILABLE', 'UPSTREAM_UNAVAILABLE'],
    auth: 'public',
    isCostly: true,
  }),
  listOrders: operation('GET /api/v1/pay/orders', {
    summary: 'List the orders of a payer',
    input: OrdersQuery,
    output: OrdersReply,
    auth: 'public',
  }),
});
