// Generated from libs/contracts: npm run docs

import type { Call, CallOptions } from '../call';
import type { Client } from '../client';
import type { ErrorOf } from '../errors';
import { eventStream, type StreamMessage, type StreamOptions } from '../event-stream';
import { list, type ListCall } from '../list';
import { send } from '../send';
import { socketStream, type SocketOptions } from '../socket-stream';
import type * as schemas from './schemas';

const common = 'VALIDATION_ERROR UNAUTHORIZED RATE_LIMIT_EXCEEDED INTERNAL_ERROR SERVICE_UNAVAILABLE OUTCOME_UNKNOWN';
type Common = 'VALIDATION_ERROR' | 'UNAUTHORIZED' | 'RATE_LIMIT_EXCEEDED' | 'INTERNAL_ERROR' | 'SERVICE_UNAVAILABLE' | 'OUTCOME_UNKNOWN';
const withBody = 'MALFORMED_JSON PAYLOAD_TOO_LARGE UNSUPPORTED_MEDIA_TYPE IDEMPOTENCY_IN_PROGRESS IDEMPOTENCY_KEY_REUSED';
type WithBody = 'MALFORMED_JSON' | 'PAYLOAD_TOO_LARGE' | 'UNSUPPORTED_MEDIA_TYPE' | 'IDEMPOTENCY_IN_PROGRESS' | 'IDEMPOTENCY_KEY_REUSED';
const withPath = 'URI_TOO_LONG';
type WithPath = 'URI_TOO_LONG';
const withKey = 'FORBIDDEN';
type WithKey = 'FORBIDDEN';
export interface ListChainsInput {
  /** Only chains where the payer calls the payment contract directly */
  direct_only?: boolean;
}
export type ListChainsResult = schemas.ChainsReply;
export type ListChainsError = ErrorOf<Common>;
/** List the chains and tokens that a payer can pay with: `GET /api/v1/pay/chains`. */
export function listChains(client: Client, input?: ListChainsInput, options?: CallOptions): Call<ListChainsResult, ListChainsError> {
  return send(client, { id: 'listChains', method: 'GET', path: '/api/v1/pay/chains', errors: `${common}` }, input, options);
}

export type QuotePaymentInput = schemas.QuoteRequest;
export type QuotePaymentResult = schemas.QuoteReply;
export type QuotePaymentError = ErrorOf<Common | WithBody | 'QUOTE_UNAVAILABLE'>;
/** Quote the amount that a payer must pay: `POST /api/v1/pay/quote`.
 * The same token on the same chain is quoted 1:1 and paid directly; every other pair at the live cross-chain rate. An unknown chain or token is rejected with 400; a pair without a route now returns 502. */
export function quotePayment(client: Client, input: QuotePaymentInput, options?: CallOptions): Call<QuotePaymentResult, QuotePaymentError> {
  return send(client, { id: 'quotePayment', method: 'POST', path: '/api/v1/pay/quote', errors: `${common} ${withBody} QUOTE_UNAVAILABLE`, isRead: true }, input, options);
}

export type QuotePaymentOptionsInput = schemas.BatchQuoteRequest;
export type QuotePaymentOptionsResult = schemas.BatchQuoteReply;
export type QuotePaymentOptionsError = ErrorOf<Common | WithBody>;
/** Quote several payment options at once: `POST /api/v1/pay/batch-quote`.
 * All options are quoted in parallel, 5 seconds each. A failed option does not affect the others. */
export function quotePaymentOptions(client: Client, input: QuotePaymentOptionsInput, options?: CallOptions): Call<QuotePaymentOptionsResult, QuotePaymentOptionsError> {
  return send(client, { id: 'quotePaymentOptions', method: 'POST', path: '/api/v1/pay/batch-quote', errors: `${common} ${withBody}`, isRead: true }, input, options);
}

export type ListMinimumAmountsResult = schemas.MinAmountsReply;
export type ListMinimumAmountsError = ErrorOf<Common>;
/** List the smallest amounts of cross-chain payments: `GET /api/v1/pay/min-amounts`.
 * Returns a snapshot that is refreshed in the background, also while the provider is unavailable. */
export function listMinimumAmounts(client: Client, options?: CallOptions): Call<ListMinimumAmountsResult, ListMinimumAmountsError> {
  return send(client, { id: 'listMinimumAmounts', method: 'GET', path: '/api/v1/pay/min-amounts', errors: `${common}` }, {}, options);
}

export type GetWalletBalancesInput = schemas.BalancesRequest;
export type GetWalletBalancesResult = schemas.BalancesReply;
export type GetWalletBalancesError = ErrorOf<Common | WithBody>;
/** Read the balances of wallets: `POST /api/v1/pay/balances`.
 * Reads all chains in parallel, 5 seconds each. A chain that fails or is slow, an unknown chain and an invalid address are left out, never reported as 0: `skipped` names them. */
export function getWalletBalances(client: Client, input: GetWalletBalancesInput, options?: CallOptions): Call<GetWalletBalancesResult, GetWalletBalancesError> {
  return send(client, { id: 'getWalletBalances', method: 'POST', path: '/api/v1/pay/balances', errors: `${common} ${withBody}`, isRead: true }, input, options);
}

export type ListCheckoutOptionsInput = schemas.CheckoutOptionsRequest;
export type ListCheckoutOptionsResult = schemas.CheckoutOptionsReply;
export type ListCheckoutOptionsError = ErrorOf<Common | WithBody>;
/** List the payment options of a payer: `POST /api/v1/pay/checkout-options`.
 * Reads the balances of all wallets, then quotes every token with a balance; both in parallel. */
export function listCheckoutOptions(client: Client, input: ListCheckoutOptionsInput, options?: CallOptions): Call<ListCheckoutOptionsResult, ListCheckoutOptionsError> {
  return send(client, { id: 'listCheckoutOptions', method: 'POST', path: '/api/v1/pay/checkout-options', errors: `${common} ${withBody}`, isRead: true }, input, options);
}

export type CreateOrderInput = schemas.CreateOrderRequest;
export type CreateOrderResult = schemas.CreateOrderReply;
export type CreateOrderError = ErrorOf<Common | WithBody | 'BUDGET_EXCEEDED' | 'MAX_PER_TX_EXCEEDED' | 'ROUTE_UNAVAILABLE' | 'UPSTREAM_UNAVAILABLE'>;
/** Create an order: `POST /api/v1/pay/create-order`.
 * Returns the contract call that the payer makes, or the deposit address when the order crosses chains. An unpaid order expires after 30 minutes. */
export function createOrder(client: Client, input: CreateOrderInput, options?: CallOptions): Call<CreateOrderResult, CreateOrderError> {
  return send(client, { id: 'createOrder', method: 'POST', path: '/api/v1/pay/create-order', errors: `${common} ${withBody} BUDGET_EXCEEDED MAX_PER_TX_EXCEEDED ROUTE_UNAVAILABLE UPSTREAM_UNAVAILABLE` }, input, options);
}

export type ReportOrderTransactionInput = schemas.ReportTransactionRequest & {
  /** Id of the order */
  id: string;
};
export type ReportOrderTransactionResult = schemas.ReportTransactionReply;
export type ReportOrderTransactionError = ErrorOf<Common | WithBody | WithPath | 'ORDER_NOT_WAITING' | 'TX_ALREADY_REPORTED'>;
/** Submit the transaction that pays an order: `POST /api/v1/pay/order/{id}/tx`.
 * Optional, but faster: the service also finds payments on the chain by itself. A transaction that does not pay the order puts it back to `waiting_payment`, with the reason in `last_report`. While another reported transaction is looked up, a report is accepted once the chain shows that it pays the order. */
export function reportOrderTransaction(client: Client, input: ReportOrderTransactionInput, options?: CallOptions): Call<ReportOrderTransactionResult, ReportOrderTransactionError> {
  return send(client, { id: 'reportOrderTransaction', method: 'POST', path: '/api/v1/pay/order/{id}/tx', errors: `${common} ${withBody} ${withPath} ORDER_NOT_WAITING TX_ALREADY_REPORTED` }, input, options);
}

export interface GetOrderInput {
  /** Id of the order */
  id: string;
}
export type GetOrderResult = schemas.OrderReply;
export type GetOrderError = ErrorOf<Common | WithPath | 'NOT_FOUND'>;
/** Read an order: `GET /api/v1/pay/order/{id}`. */
export function getOrder(client: Client, input: GetOrderInput, options?: CallOptions): Call<GetOrderResult, GetOrderError> {
  return send(client, { id: 'getOrder', method: 'GET', path: '/api/v1/pay/order/{id}', errors: `${common} ${withPath} NOT_FOUND` }, input, options);
}

export interface GetOrderWalletCallInput {
  /** Id of the order */
  id: string;
  /** Wallet that pays, on the chain of the order; need not be the `payer_address` of the order */
  payer: string;
}
export type GetOrderWalletCallResult = schemas.WalletCallReply;
export type GetOrderWalletCallError = ErrorOf<Common | WithPath | 'NOT_FOUND' | 'ORDER_NOT_WAITING' | 'ROUTE_UNAVAILABLE' | 'UPSTREAM_UNAVAILABLE'>;
/** Make the call by which a wallet pays an order: `GET /api/v1/pay/order/{id}/wallet-call`.
 * For orders that wait for their payment: the call of the payment contract, or the transfer to the deposit address of exactly the amount, or of what is missing of it, with its memo. The call contains what expires soon, such as a recent block: make it when the payer is about to sign. */
export function getOrderWalletCall(client: Client, input: GetOrderWalletCallInput, options?: CallOptions): Call<GetOrderWalletCallResult, GetOrderWalletCallError> {
  return send(client, { id: 'getOrderWalletCall', method: 'GET', path: '/api/v1/pay/order/{id}/wallet-call', errors: `${common} ${withPath} NOT_FOUND ORDER_NOT_WAITING ROUTE_UNAVAILABLE UPSTREAM_UNAVAILABLE` }, input, options);
}

export interface ListOrdersInput {
  /** Address of the payer */
  payer: string;
  /** Largest number of items on a page; a value above 100 means 100 */
  limit?: number;
  /** `next_cursor` of the previous page, unchanged */
  cursor?: string;
}
export type ListOrdersResult = schemas.OrdersReply;
export type ListOrdersError = ErrorOf<Common>;
/** List the orders of a payer: `GET /api/v1/pay/orders`. */
export function listOrders(client: Client, input: ListOrdersInput, options?: CallOptions): ListCall<ListOrdersResult, schemas.OrderReply, ListOrdersError> {
  return list(client, { id: 'listOrders', method: 'GET', path: '/api/v1/pay/orders', errors: `${common}`, list: {"items":"orders"} }, input, options);
}

export interface GetDepositStatusInput {
  /** Deposit address, from the create-order reply */
  deposit_address: string;
  /** Memo, on chains that use one */
  deposit_memo?: string;
}
export type GetDepositStatusResult = schemas.SwapReply;
export type GetDepositStatusError = ErrorOf<Common | 'NOT_FOUND'>;
/** Read the status of a deposit: `GET /api/v1/swap/status`. */
export function getDepositStatus(client: Client, input: GetDepositStatusInput, options?: CallOptions): Call<GetDepositStatusResult, GetDepositStatusError> {
  return send(client, { id: 'getDepositStatus', method: 'GET', path: '/api/v1/swap/status', errors: `${common} NOT_FOUND` }, input, options);
}

export type QuoteSwapInput = schemas.SwapQuoteRequest;
export type QuoteSwapResult = schemas.SwapQuoteReply;
export type QuoteSwapError = ErrorOf<Common | WithBody | WithKey | 'QUOTE_UNAVAILABLE' | 'ROUTE_UNAVAILABLE' | 'UPSTREAM_UNAVAILABLE'>;
/** Quote a swap, on one chain or across chains: `POST /v1/quote`.
 * All providers of the pair are asked in parallel, 5 seconds each; the best output after gas wins. `inputToken`, `outputToken` and `inputAmount` may also be named `tokenIn`, `tokenOut` and `amountIn`.
 * **Needs** an API key, either half, with the permission `read`. Where the operator sells without an account, a call without credentials gets `402` with the price, and is paid by `Payment-Signature` or `Authorization: Payment`. */
export function quoteSwap(client: Client, input: QuoteSwapInput, options?: CallOptions): Call<QuoteSwapResult, QuoteSwapError> {
  return send(client, { id: 'quoteSwap', method: 'POST', path: '/v1/quote', errors: `${common} ${withBody} ${withKey} QUOTE_UNAVAILABLE ROUTE_UNAVAILABLE UPSTREAM_UNAVAILABLE`, isEnveloped: true }, input, options);
}

export type BuildSwapInput = schemas.BuildRequest;
export type BuildSwapResult = schemas.BuiltSet;
export type BuildSwapError = ErrorOf<Common | WithBody | WithKey | 'INVALID_QUOTE' | 'QUOTE_EXPIRED' | 'QUOTE_UNAVAILABLE' | 'INSUFFICIENT_BALANCE' | 'INSUFFICIENT_ALLOWANCE' | 'GAS_LIMIT_EXCEEDED' | 'DEADLINE_EXCEEDED' | 'TRANSACTION_FAILED' | 'UPSTREAM_UNAVAILABLE'>;
/** Build the transactions of a quote: `POST /v1/transaction/build`.
 * Approvals come first, only where the allowance is too low, and for exactly the amount. Gas is found by simulating the transactions in order. Sign each one as built: nonce and fees are part of the signed data. One quote and signer have one set: the same request returns the same set until it is signed or can no longer be executed; a request with other terms replaces it, and the replaced set expires. The quote of a signed or replaced set returns INVALID_QUOTE, with the reason in `details`: of a signed one when it is built again, of a replaced one when it is executed.
 * **Needs** an API key, either half, with the permission `pay`. */
export function buildSwap(client: Client, input: BuildSwapInput, options?: CallOptions): Call<BuildSwapResult, BuildSwapError> {
  return send(client, { id: 'buildSwap', method: 'POST', path: '/v1/transaction/build', errors: `${common} ${withBody} ${withKey} INVALID_QUOTE QUOTE_EXPIRED QUOTE_UNAVAILABLE INSUFFICIENT_BALANCE INSUFFICIENT_ALLOWANCE GAS_LIMIT_EXCEEDED DEADLINE_EXCEEDED TRANSACTION_FAILED UPSTREAM_UNAVAILABLE`, isEnveloped: true }, input, options);
}

export type ExecuteSwapInput = schemas.ExecuteRequest;
export type ExecuteSwapResult = schemas.ExecutedSet;
export type ExecuteSwapError = ErrorOf<Common | WithBody | WithKey | 'NOT_FOUND' | 'INVALID_QUOTE' | 'INVALID_SIGNATURE' | 'BUDGET_EXCEEDED' | 'MAX_PER_TX_EXCEEDED' | 'UPSTREAM_UNAVAILABLE' | 'CONFLICT' | 'DEADLINE_EXCEEDED' | 'GAS_LIMIT_EXCEEDED' | 'TRANSACTION_FAILED'>;
/** Submit the signatures of built transactions: `POST /v1/transaction/execute`.
 * Idempotent: a set is sent once, and repeating the same signatures returns its current state. Each transaction is sent once the previous one is mined.
 * **Needs** an API key, either half, with the permission `pay`. */
export function executeSwap(client: Client, input: ExecuteSwapInput, options?: CallOptions): Call<ExecuteSwapResult, ExecuteSwapError> {
  return send(client, { id: 'executeSwap', method: 'POST', path: '/v1/transaction/execute', errors: `${common} ${withBody} ${withKey} NOT_FOUND INVALID_QUOTE INVALID_SIGNATURE BUDGET_EXCEEDED MAX_PER_TX_EXCEEDED UPSTREAM_UNAVAILABLE CONFLICT DEADLINE_EXCEEDED GAS_LIMIT_EXCEEDED TRANSACTION_FAILED`, isEnveloped: true }, input, options);
}

export interface GetSwapStatusInput {
  /** Id of the transaction set */
  transactionId: string;
  /** Include the built and sent transactions */
  includeDetails?: boolean;
}
export type GetSwapStatusResult = schemas.TransactionStatus;
export type GetSwapStatusError = ErrorOf<Common | WithPath | WithKey | 'NOT_FOUND'>;
/** Read the state of a transaction set: `GET /v1/transaction/{transactionId}/status`.
 * **Needs** an API key, either half, with the permission `read`. */
export function getSwapStatus(client: Client, input: GetSwapStatusInput, options?: CallOptions): Call<GetSwapStatusResult, GetSwapStatusError> {
  return send(client, { id: 'getSwapStatus', method: 'GET', path: '/v1/transaction/{transactionId}/status', errors: `${common} ${withPath} ${withKey} NOT_FOUND`, isEnveloped: true }, input, options);
}

export type BuildSwapsInput = schemas.BatchRequest;
export type BuildSwapsResult = schemas.BatchReply;
export type BuildSwapsError = ErrorOf<Common | WithBody | WithKey>;
/** Build several quotes at once: `POST /v1/transaction/batch`.
 * Up to 50. An item that cannot be built does not affect the others. Sign and execute each item by itself, in the order of the request.
 * **Needs** an API key, either half, with the permission `pay`. */
export function buildSwaps(client: Client, input: BuildSwapsInput, options?: CallOptions): Call<BuildSwapsResult, BuildSwapsError> {
  return send(client, { id: 'buildSwaps', method: 'POST', path: '/v1/transaction/batch', errors: `${common} ${withBody} ${withKey}`, isEnveloped: true, timeoutMs: 35000 }, input, options);
}

export type CreatePaymentRequestInput = schemas.CreatePaymentRequest;
export type CreatePaymentRequestResult = schemas.PaymentRequestReply;
export type CreatePaymentRequestError = ErrorOf<Common | WithBody | WithKey>;
/** Create a payment request: `POST /api/v1/merchant/payment-requests`.
 * Send the payer to `payment_link`, or show `qr_code_url`. The payer chooses the token to pay with; the merchant receives exactly `amount` of `currency`.
 * **Needs** the secret of an API key with the permission `write`, or the wallet in `x-wallet`. */
export function createPaymentRequest(client: Client, input: CreatePaymentRequestInput, options?: CallOptions): Call<CreatePaymentRequestResult, CreatePaymentRequestError> {
  return send(client, { id: 'createPaymentRequest', method: 'POST', path: '/api/v1/merchant/payment-requests', errors: `${common} ${withBody} ${withKey}`, takesWallet: true }, input, options);
}

export interface ListPaymentRequestsInput {
  /** Only requests with this status */
  status?: 'pending' | 'processing' | 'completed' | 'expired' | 'canceled';
  /** Only requests created at or after this time */
  from?: string;
  /** Only requests created before this time */
  to?: string;
  /** Largest number of items on a page; a value above 100 means 100 */
  limit?: number;
  /** `next_cursor` of the previous page, unchanged */
  cursor?: string;
}
export type ListPaymentRequestsResult = schemas.PaymentRequestsReply;
export type ListPaymentRequestsError = ErrorOf<Common | WithKey>;
/** List your payment requests: `GET /api/v1/merchant/payment-requests`.
 * **Needs** the secret of an API key with the permission `read`, or the wallet in `x-wallet`. */
export function listPaymentRequests(client: Client, input?: ListPaymentRequestsInput, options?: CallOptions): ListCall<ListPaymentRequestsResult, schemas.PaymentRequestReply, ListPaymentRequestsError> {
  return list(client, { id: 'listPaymentRequests', method: 'GET', path: '/api/v1/merchant/payment-requests', errors: `${common} ${withKey}`, takesWallet: true, list: {"items":"payment_requests"} }, input, options);
}

export interface GetPaymentRequestInput {
  /** Id of the payment request */
  id: string;
}
export type GetPaymentRequestResult = schemas.PaymentRequestReply;
export type GetPaymentRequestError = ErrorOf<Common | WithPath | WithKey | 'NOT_FOUND'>;
/** Read a payment request: `GET /api/v1/merchant/payment-requests/{id}`.
 * **Needs** the secret of an API key with the permission `read`, or the wallet in `x-wallet`. */
export function getPaymentRequest(client: Client, input: GetPaymentRequestInput, options?: CallOptions): Call<GetPaymentRequestResult, GetPaymentRequestError> {
  return send(client, { id: 'getPaymentRequest', method: 'GET', path: '/api/v1/merchant/payment-requests/{id}', errors: `${common} ${withPath} ${withKey} NOT_FOUND`, takesWallet: true }, input, options);
}

export interface CancelPaymentRequestInput {
  /** Id of the payment request */
  id: string;
}
export type CancelPaymentRequestResult = schemas.PaymentRequestReply;
export type CancelPaymentRequestError = ErrorOf<Common | WithBody | WithPath | WithKey | 'NOT_FOUND' | 'CONFLICT'>;
/** Cancel a payment request: `POST /api/v1/merchant/payment-requests/{id}/cancel`.
 * The request can no longer be executed. A payment that a payer began before may still arrive, and then counts. Returns 409 while a payment is seen on the chain, and when the request is paid or expired.
 * **Needs** the secret of an API key with the permission `write`, or the wallet in `x-wallet`. */
export function cancelPaymentRequest(client: Client, input: CancelPaymentRequestInput, options?: CallOptions): Call<CancelPaymentRequestResult, CancelPaymentRequestError> {
  return send(client, { id: 'cancelPaymentRequest', method: 'POST', path: '/api/v1/merchant/payment-requests/{id}/cancel', errors: `${common} ${withBody} ${withPath} ${withKey} NOT_FOUND CONFLICT`, takesWallet: true }, input, options);
}

export type SetPaymentRequestReceiveAddressInput = schemas.SetReceiveAddressRequest & {
  /** Id of the payment request */
  id: string;
};
export type SetPaymentRequestReceiveAddressResult = schemas.PaymentRequestReply;
export type SetPaymentRequestReceiveAddressError = ErrorOf<Common | WithBody | WithPath | WithKey | 'NOT_FOUND' | 'CONFLICT'>;
/** Name the receiving address of a payment request that has none: `POST /api/v1/merchant/payment-requests/{id}/receive-address`.
 * For requests with `receive_address_required`: payers can pay from then on. An address in `receiveAddresses` of the settings, or a proven address, has the same effect. Returns 409 when the request has another address already.
 * **Needs** the secret of an API key with the permission `write`, or the wallet in `x-wallet`. */
export function setPaymentRequestReceiveAddress(client: Client, input: SetPaymentRequestReceiveAddressInput, options?: CallOptions): Call<SetPaymentRequestReceiveAddressResult, SetPaymentRequestReceiveAddressError> {
  return send(client, { id: 'setPaymentRequestReceiveAddress', method: 'POST', path: '/api/v1/merchant/payment-requests/{id}/receive-address', errors: `${common} ${withBody} ${withPath} ${withKey} NOT_FOUND CONFLICT`, takesWallet: true }, input, options);
}

export interface ListPaymentsInput {
  /** Only payments with this status */
  status?: 'executing' | 'completed' | 'failed' | 'expired';
  /** Only payments in this currency */
  currency?: string;
  /** Only payments to this chain */
  chain?: string;
  /** Only payments created at or after this time */
  from?: string;
  /** Only payments created before this time */
  to?: string;
  /** Largest number of items on a page; a value above 100 means 100 */
  limit?: number;
  /** `next_cursor` of the previous page, unchanged */
  cursor?: string;
}
export type ListPaymentsResult = schemas.PaymentsReply;
export type ListPaymentsError = ErrorOf<Common | WithKey>;
/** List the payments of your payment requests: `GET /api/v1/merchant/payments`.
 * **Needs** the secret of an API key with the permission `read`, or the wallet in `x-wallet`. */
export function listPayments(client: Client, input?: ListPaymentsInput, options?: CallOptions): ListCall<ListPaymentsResult, schemas.MerchantPayment, ListPaymentsError> {
  return list(client, { id: 'listPayments', method: 'GET', path: '/api/v1/merchant/payments', errors: `${common} ${withKey}`, takesWallet: true, list: {"items":"payments"} }, input, options);
}

export type GetMerchantStatsResult = schemas.StatsReply;
export type GetMerchantStatsError = ErrorOf<Common | WithKey>;
/** Read the totals of today, this week and this month: `GET /api/v1/merchant/stats`.
 * **Needs** the secret of an API key with the permission `read`, or the wallet in `x-wallet`. */
export function getMerchantStats(client: Client, options?: CallOptions): Call<GetMerchantStatsResult, GetMerchantStatsError> {
  return send(client, { id: 'getMerchantStats', method: 'GET', path: '/api/v1/merchant/stats', errors: `${common} ${withKey}`, takesWallet: true }, {}, options);
}

export interface GetPayablePaymentRequestInput {
  /** Id of the payment request */
  id: string;
  /** Refund address of the payer. With it the reply also lists options that need a `payer_address` */
  payer_address?: string;
}
export type GetPayablePaymentRequestResult = schemas.PaymentDetailsReply;
export type GetPayablePaymentRequestError = ErrorOf<Common | WithPath | 'NOT_FOUND'>;
/** Read a payment request and its payment options: `GET /api/v1/payment/{id}`. */
export function getPayablePaymentRequest(client: Client, input: GetPayablePaymentRequestInput, options?: CallOptions): Call<GetPayablePaymentRequestResult, GetPayablePaymentRequestError> {
  return send(client, { id: 'getPayablePaymentRequest', method: 'GET', path: '/api/v1/payment/{id}', errors: `${common} ${withPath} NOT_FOUND` }, input, options);
}

export type StartPaymentInput = schemas.ExecutePaymentRequest & {
  /** Id of the payment request */
  id: string;
};
export type StartPaymentResult = schemas.ExecutePaymentReply;
export type StartPaymentError = ErrorOf<Common | WithBody | WithPath | 'NOT_FOUND' | 'CONFLICT' | 'ROUTE_UNAVAILABLE' | 'UPSTREAM_UNAVAILABLE'>;
/** Start a payment: `POST /api/v1/payment/{id}/execute`.
 * Creates the order to pay. The same option of the same payer returns the same payment while its order waits. Returns 409 when the request is paid, expired or canceled, or has too many payments in progress. */
export function startPayment(client: Client, input: StartPaymentInput, options?: CallOptions): Call<StartPaymentResult, StartPaymentError> {
  return send(client, { id: 'startPayment', method: 'POST', path: '/api/v1/payment/{id}/execute', errors: `${common} ${withBody} ${withPath} NOT_FOUND CONFLICT ROUTE_UNAVAILABLE UPSTREAM_UNAVAILABLE` }, input, options);
}

export interface GetPaymentStatusInput {
  /** Id of the payment, or of the payment request: then its most advanced payment */
  id: string;
}
export type GetPaymentStatusResult = schemas.PaymentStatusReply;
export type GetPaymentStatusError = ErrorOf<Common | WithPath | 'NOT_FOUND'>;
/** Read the status of a payment: `GET /api/v1/payment/{id}/status`. */
export function getPaymentStatus(client: Client, input: GetPaymentStatusInput, options?: CallOptions): Call<GetPaymentStatusResult, GetPaymentStatusError> {
  return send(client, { id: 'getPaymentStatus', method: 'GET', path: '/api/v1/payment/{id}/status', errors: `${common} ${withPath} NOT_FOUND` }, input, options);
}

export type GetMerchantOverviewResult = schemas.OverviewReply;
export type GetMerchantOverviewError = ErrorOf<Common | WithKey>;
/** Read the payment totals of a merchant: `GET /api/overview`.
 * Payments count on the day of their completion (UTC). Refunds are not included.
 * **Needs** the secret of an API key with the permission `read`, or the wallet in `x-wallet`. */
export function getMerchantOverview(client: Client, options?: CallOptions): Call<GetMerchantOverviewResult, GetMerchantOverviewError> {
  return send(client, { id: 'getMerchantOverview', method: 'GET', path: '/api/overview', errors: `${common} ${withKey}`, takesWallet: true }, {}, options);
}

export interface ListTransactionsInput {
  /** Search: the whole `id`, `order_id` or `payment_request_id`, or the start of `tx_hash`, of `counterparty`, of the description of the payment request, or of what follows `Order of` or `PayLink:` in `description` (the reference of the shop). Upper and lower case are the same. At least 3 characters. A start that more than 1,000 records share returns 1,000 of them */
  q?: string;
  /** Only records of this type */
  type?: 'payment' | 'refund';
  /** Only records in this status */
  status?: 'pending' | 'completed' | 'failed' | 'expired' | 'reversed';
  /** Only records in this token, by symbol */
  token?: string;
  /** Only records on this chain: id, CAIP-2 or short name */
  network?: string;
  /** Only records created at or after this time */
  from?: string;
  /** Only records created before this time */
  to?: string;
  /** `id` of the last record on the previous page */
  cursor?: string;
  /** Largest number of items on a page; a value above 100 means 100 */
  limit?: number;
}
export type ListTransactionsResult = schemas.TransactionRecord[];
export type ListTransactionsError = ErrorOf<Common | WithKey>;
/** List a merchant's transactions: `GET /api/transactions`.
 * Newest first: the newest 100, unless `limit` and `cursor` say otherwise. While more records exist, the header `Link` names the next page (`rel="next"`). An order that another client created appears after its first payment. `GET /api/transactions/export` takes the same filters and returns CSV: up to 1,000,000 records, each with its dollar value at the time of payment. Pass the last record's `id` as `cursor` to continue.
 * **Needs** the secret of an API key with the permission `read`, or the wallet in `x-wallet`. */
export function listTransactions(client: Client, input?: ListTransactionsInput, options?: CallOptions): ListCall<ListTransactionsResult, schemas.TransactionRecord, ListTransactionsError> {
  return list(client, { id: 'listTransactions', method: 'GET', path: '/api/transactions', errors: `${common} ${withKey}`, takesWallet: true, list: {} }, input, options);
}

export interface GetTransactionInput {
  /** Id of the record */
  id: string;
}
export type GetTransactionResult = schemas.TransactionRecord;
export type GetTransactionError = ErrorOf<Common | WithPath | WithKey | 'NOT_FOUND'>;
/** Read one of a merchant's transactions: `GET /api/transactions/{id}`.
 * **Needs** the secret of an API key with the permission `read`, or the wallet in `x-wallet`. */
export function getTransaction(client: Client, input: GetTransactionInput, options?: CallOptions): Call<GetTransactionResult, GetTransactionError> {
  return send(client, { id: 'getTransaction', method: 'GET', path: '/api/transactions/{id}', errors: `${common} ${withPath} ${withKey} NOT_FOUND`, takesWallet: true }, input, options);
}

export interface ProveLedgerInput {
  /** Also check this segment of the ledger: 0 to `segments` - 1 */
  segment?: number;
}
export type ProveLedgerResult = schemas.LedgerProofReply;
export type ProveLedgerError = ErrorOf<Common | WithKey>;
/** Prove a merchant's ledger: `GET /api/ledger/proof`.
 * Returns the sums of every asset, and checks the newest segment of the ledger and the one with the oldest check: each transaction sums to zero, no transaction was changed or removed, and the stored sums match the entries. A fault halts the ledger until the check passes again. Changes made meanwhile wait, and are posted afterwards.
 * **Needs** the secret of an API key with the permission `read`, or the wallet in `x-wallet`. */
export function proveLedger(client: Client, input?: ProveLedgerInput, options?: CallOptions): Call<ProveLedgerResult, ProveLedgerError> {
  return send(client, { id: 'proveLedger', method: 'GET', path: '/api/ledger/proof', errors: `${common} ${withKey}`, takesWallet: true }, input, options);
}

export interface ListLedgerEntriesInput {
  /** Largest number of items on a page; a value above 100 means 100 */
  limit?: number;
  /** `next_cursor` of the previous page, unchanged */
  cursor?: string;
}
export type ListLedgerEntriesResult = schemas.LedgerEntriesReply;
export type ListLedgerEntriesError = ErrorOf<Common | WithKey>;
/** List the entries of a merchant's ledger: `GET /api/ledger/entries`.
 * **Needs** the secret of an API key with the permission `read`, or the wallet in `x-wallet`. */
export function listLedgerEntries(client: Client, input?: ListLedgerEntriesInput, options?: CallOptions): ListCall<ListLedgerEntriesResult, schemas.LedgerEntry, ListLedgerEntriesError> {
  return list(client, { id: 'listLedgerEntries', method: 'GET', path: '/api/ledger/entries', errors: `${common} ${withKey}`, takesWallet: true, list: {"items":"entries"} }, input, options);
}

export interface ListPayLinksInput {
  /** Only PayLinks that are switched on, or only those switched off */
  active?: boolean;
  /** Page size, at most 100; without it the reply contains all PayLinks */
  limit?: number;
  /** Start after this item: the id of the last link on the previous page */
  cursor?: string;
}
export type ListPayLinksResult = schemas.PayLink[];
export type ListPayLinksError = ErrorOf<Common | WithKey>;
/** List your PayLinks, newest first: `GET /api/paylinks`.
 * Returns all PayLinks: a wallet has at most 1,000. With `limit` it returns one page; while more exist, the header `Link` names the next page (`rel="next"`).
 * **Needs** the secret of an API key with the permission `read`, or the wallet in `x-wallet`. */
export function listPayLinks(client: Client, input?: ListPayLinksInput, options?: CallOptions): ListCall<ListPayLinksResult, schemas.PayLink, ListPayLinksError> {
  return list(client, { id: 'listPayLinks', method: 'GET', path: '/api/paylinks', errors: `${common} ${withKey}`, takesWallet: true, list: {} }, input, options);
}

export type CreatePayLinkInput = schemas.CreatePayLinkRequest;
export type CreatePayLinkResult = schemas.PayLink;
export type CreatePayLinkError = ErrorOf<Common | WithBody | WithKey | 'CONFLICT'>;
/** Create a PayLink: `POST /api/paylinks`.
 * A wallet can have at most 1,000 PayLinks (409).
 * **Needs** the secret of an API key with the permission `write`, or the wallet in `x-wallet`. */
export function createPayLink(client: Client, input: CreatePayLinkInput, options?: CallOptions): Call<CreatePayLinkResult, CreatePayLinkError> {
  return send(client, { id: 'createPayLink', method: 'POST', path: '/api/paylinks', errors: `${common} ${withBody} ${withKey} CONFLICT`, takesWallet: true }, input, options);
}

export type SetPayLinkActiveInput = schemas.TogglePayLinkRequest & {
  /** Id of the PayLink */
  id: string;
};
export type SetPayLinkActiveResult = schemas.PayLink;
export type SetPayLinkActiveError = ErrorOf<Common | WithBody | WithPath | WithKey | 'NOT_FOUND'>;
/** Switch a PayLink on or off: `PUT /api/paylinks/{id}/toggle`.
 * A payment made while the PayLink was on counts, even when it is submitted later.
 * **Needs** the secret of an API key with the permission `write`, or the wallet in `x-wallet`. */
export function setPayLinkActive(client: Client, input: SetPayLinkActiveInput, options?: CallOptions): Call<SetPayLinkActiveResult, SetPayLinkActiveError> {
  return send(client, { id: 'setPayLinkActive', method: 'PUT', path: '/api/paylinks/{id}/toggle', errors: `${common} ${withBody} ${withPath} ${withKey} NOT_FOUND`, takesWallet: true }, input, options);
}

export interface DeletePayLinkInput {
  /** Id of the PayLink */
  id: string;
}
export type DeletePayLinkResult = schemas.PayLinkDeleted;
export type DeletePayLinkError = ErrorOf<Common | WithPath | WithKey | 'NOT_FOUND'>;
/** Delete a PayLink: `DELETE /api/paylinks/{id}`.
 * **Needs** the secret of an API key with the permission `write`, or the wallet in `x-wallet`. */
export function deletePayLink(client: Client, input: DeletePayLinkInput, options?: CallOptions): Call<DeletePayLinkResult, DeletePayLinkError> {
  return send(client, { id: 'deletePayLink', method: 'DELETE', path: '/api/paylinks/{id}', errors: `${common} ${withPath} ${withKey} NOT_FOUND`, takesWallet: true }, input, options);
}

export interface GetPublicPayLinkInput {
  /** Id of the PayLink */
  id: string;
}
export type GetPublicPayLinkResult = schemas.PublicPayLink;
export type GetPublicPayLinkError = ErrorOf<Common | WithPath | 'NOT_FOUND'>;
/** Read a PayLink as a payer: `GET /api/paylinks/{id}/public`.
 * Only while the PayLink accepts payments: it is on, not expired and not used up. */
export function getPublicPayLink(client: Client, input: GetPublicPayLinkInput, options?: CallOptions): Call<GetPublicPayLinkResult, GetPublicPayLinkError> {
  return send(client, { id: 'getPublicPayLink', method: 'GET', path: '/api/paylinks/{id}/public', errors: `${common} ${withPath} NOT_FOUND` }, input, options);
}

export type StartPayLinkCheckoutInput = schemas.PayLinkCheckoutRequest & {
  /** Id of the PayLink */
  id: string;
};
export type StartPayLinkCheckoutResult = schemas.PayLinkCheckout;
export type StartPayLinkCheckoutError = ErrorOf<Common | WithBody | WithPath | 'NOT_FOUND'>;
/** Start a checkout of a PayLink: `POST /api/paylinks/{id}/checkout`.
 * Creates a payment request for one payment of the PayLink, which the payer pays in any token that is offered. Once settled it counts for the PayLink, as `paylink.paid` says. It reserves no slot of `maxPayments`: one payment too many becomes an exception. It closes with the PayLink, and after a day. */
export function startPayLinkCheckout(client: Client, input: StartPayLinkCheckoutInput, options?: CallOptions): Call<StartPayLinkCheckoutResult, StartPayLinkCheckoutError> {
  return send(client, { id: 'startPayLinkCheckout', method: 'POST', path: '/api/paylinks/{id}/checkout', errors: `${common} ${withBody} ${withPath} NOT_FOUND` }, input, options);
}

export type ReportPayLinkPaymentInput = schemas.RecordPaymentRequest & {
  /** Id of the PayLink */
  id: string;
};
export type ReportPayLinkPaymentResult = schemas.RecordPaymentReply;
export type ReportPayLinkPaymentError = ErrorOf<Common | WithBody | WithPath | 'NOT_FOUND' | 'CONFLICT'>;
/** Submit the transaction that paid a PayLink: `POST /api/paylinks/{id}/pay`.
 * The service verifies the transaction on the network: a transfer of the genuine token to the receiver, of at least the amount, made after the PayLink was created, with enough confirmations, and not counted before. A transaction that names the `reference` of another PayLink is rejected. While the receiver is unproven, a transaction that pays a PayLink of a merchant who has proven the receiver is rejected too. Submitting the same hash again returns the same result. On a network without a configured node the payment is stored as `unverifiable`, and counts only after the merchant confirms it. A PayLink holds at most 50 unmined and 100 unverifiable transactions (409). Without an API key, one address may submit 20 times a minute. */
export function reportPayLinkPayment(client: Client, input: ReportPayLinkPaymentInput, options?: CallOptions): Call<ReportPayLinkPaymentResult, ReportPayLinkPaymentError> {
  return send(client, { id: 'reportPayLinkPayment', method: 'POST', path: '/api/paylinks/{id}/pay', errors: `${common} ${withBody} ${withPath} NOT_FOUND CONFLICT` }, input, options);
}

export interface ListPayLinkPaymentsInput {
  /** Id of the PayLink */
  id: string;
  /** Largest number of items: 100, also when more are requested */
  limit?: number;
  /** Start after this item: the id of the last payment on the previous page */
  cursor?: string;
}
export type ListPayLinkPaymentsResult = schemas.PayLinkPayment[];
export type ListPayLinkPaymentsError = ErrorOf<Common | WithPath | WithKey | 'NOT_FOUND'>;
/** List the submitted payments of a PayLink, newest first: `GET /api/paylinks/{id}/payments`.
 * At most 100 per page. While more exist, the header `Link` names the next page (`rel="next"`).
 * **Needs** the secret of an API key with the permission `read`, or the wallet in `x-wallet`. */
export function listPayLinkPayments(client: Client, input: ListPayLinkPaymentsInput, options?: CallOptions): ListCall<ListPayLinkPaymentsResult, schemas.PayLinkPayment, ListPayLinkPaymentsError> {
  return list(client, { id: 'listPayLinkPayments', method: 'GET', path: '/api/paylinks/{id}/payments', errors: `${common} ${withPath} ${withKey} NOT_FOUND`, takesWallet: true, list: {} }, input, options);
}

export interface ConfirmPayLinkPaymentInput {
  /** Id of the PayLink */
  id: string;
  /** Id of the payment */
  paymentId: string;
}
export type ConfirmPayLinkPaymentResult = schemas.PayLinkPayment;
export type ConfirmPayLinkPaymentError = ErrorOf<Common | WithBody | WithPath | WithKey | 'NOT_FOUND' | 'CONFLICT'>;
/** Confirm an unverifiable payment: `POST /api/paylinks/{id}/payments/{paymentId}/confirm`.
 * The payment counts from then on, in `payment_count`, the dashboard and the ledger, marked as confirmed by the merchant instead of the network. The call is idempotent. Returns 409 when the payment is not `unverifiable`, its transaction counts for another PayLink of the wallet or settles an order, the PayLink has all its payments, or another merchant has proven the receiver and has a PayLink that the transaction pays.
 * **Needs** the secret of an API key with the permission `write`, or the wallet in `x-wallet`. */
export function confirmPayLinkPayment(client: Client, input: ConfirmPayLinkPaymentInput, options?: CallOptions): Call<ConfirmPayLinkPaymentResult, ConfirmPayLinkPaymentError> {
  return send(client, { id: 'confirmPayLinkPayment', method: 'POST', path: '/api/paylinks/{id}/payments/{paymentId}/confirm', errors: `${common} ${withBody} ${withPath} ${withKey} NOT_FOUND CONFLICT`, takesWallet: true }, input, options);
}

export interface RejectPayLinkPaymentInput {
  /** Id of the PayLink */
  id: string;
  /** Id of the payment */
  paymentId: string;
}
export type RejectPayLinkPaymentResult = schemas.PayLinkPayment;
export type RejectPayLinkPaymentError = ErrorOf<Common | WithBody | WithPath | WithKey | 'NOT_FOUND' | 'CONFLICT'>;
/** Reject an unverifiable payment: `POST /api/paylinks/{id}/payments/{paymentId}/reject`.
 * The payment never counts. The call is idempotent. Returns 409 for a payment that is not `unverifiable`.
 * **Needs** the secret of an API key with the permission `write`, or the wallet in `x-wallet`. */
export function rejectPayLinkPayment(client: Client, input: RejectPayLinkPaymentInput, options?: CallOptions): Call<RejectPayLinkPaymentResult, RejectPayLinkPaymentError> {
  return send(client, { id: 'rejectPayLinkPayment', method: 'POST', path: '/api/paylinks/{id}/payments/{paymentId}/reject', errors: `${common} ${withBody} ${withPath} ${withKey} NOT_FOUND CONFLICT`, takesWallet: true }, input, options);
}

export interface ListExceptionsInput {
  /** Only exceptions in this state */
  status?: 'open' | 'resolved';
  /** Only exceptions of this kind */
  kind?: 'partial' | 'overpaid' | 'excess' | 'late' | 'inactive' | 'other_token' | 'other_network' | 'plain_transfer' | 'second_payment' | 'refund';
  /** Largest number of items on a page; a value above 100 means 100 */
  limit?: number;
  /** `next_cursor` of the previous page, unchanged */
  cursor?: string;
}
export type ListExceptionsResult = schemas.ExceptionsReply;
export type ListExceptionsError = ErrorOf<Common | WithKey>;
/** List money that arrived in another form than it was asked for: `GET /api/exceptions`.
 * Less or more than the amount, in parts, in another token or on another network, too late, or once too often. Each is also sent as the webhook `payment.exception`. Refund or deliver, then resolve it.
 * **Needs** the secret of an API key with the permission `read`, or the wallet in `x-wallet`. */
export function listExceptions(client: Client, input?: ListExceptionsInput, options?: CallOptions): ListCall<ListExceptionsResult, schemas.PaymentException, ListExceptionsError> {
  return list(client, { id: 'listExceptions', method: 'GET', path: '/api/exceptions', errors: `${common} ${withKey}`, takesWallet: true, list: {"items":"exceptions"} }, input, options);
}

export interface ResolveExceptionInput {
  /** Id of the exception */
  id: string;
}
export type ResolveExceptionResult = schemas.PaymentException;
export type ResolveExceptionError = ErrorOf<Common | WithBody | WithPath | WithKey | 'NOT_FOUND'>;
/** Close an exception that was dealt with: `POST /api/exceptions/{id}/resolve`.
 * It moves no money. The call is idempotent: a resolved exception stays as it is.
 * **Needs** the secret of an API key with the permission `write`, or the wallet in `x-wallet`. */
export function resolveException(client: Client, input: ResolveExceptionInput, options?: CallOptions): Call<ResolveExceptionResult, ResolveExceptionError> {
  return send(client, { id: 'resolveException', method: 'POST', path: '/api/exceptions/{id}/resolve', errors: `${common} ${withBody} ${withPath} ${withKey} NOT_FOUND`, takesWallet: true }, input, options);
}

export type CreateReceiverChallengeInput = schemas.ReceiverChallengeRequest;
export type CreateReceiverChallengeResult = schemas.ReceiverChallengeReply;
export type CreateReceiverChallengeError = ErrorOf<Common | WithBody | WithKey>;
/** Create a challenge for a receiving address: `POST /api/receivers/challenge`.
 * Sign the text with the receiving address, then send the signature to `POST /api/receivers/verify`. The wallet's own address needs no proof. Nothing is stored until the proof is verified.
 * **Needs** the secret of an API key with the permission `settings`, or the wallet in `x-wallet`. */
export function createReceiverChallenge(client: Client, input: CreateReceiverChallengeInput, options?: CallOptions): Call<CreateReceiverChallengeResult, CreateReceiverChallengeError> {
  return send(client, { id: 'createReceiverChallenge', method: 'POST', path: '/api/receivers/challenge', errors: `${common} ${withBody} ${withKey}`, takesWallet: true }, input, options);
}

export type VerifyReceiverInput = schemas.VerifyReceiverRequest;
export type VerifyReceiverResult = schemas.Receiver;
export type VerifyReceiverError = ErrorOf<Common | WithBody | WithKey | 'INVALID_SIGNATURE' | 'CONFLICT' | 'UPSTREAM_UNAVAILABLE'>;
/** Prove a receiving address: `POST /api/receivers/verify`.
 * All PayLinks of the wallet to this address become `receiver_verified`. EVM keys and contracts (ERC-1271, ERC-6492), TON and Solana can sign. Several wallets can prove one address; each needs its own proof. A rejected proof is 400 with `details.reason`; the nonce stays valid until it is used or expires. A wallet has at most 100 proven addresses (409).
 * **Needs** the secret of an API key with the permission `settings`, or the wallet in `x-wallet`. */
export function verifyReceiver(client: Client, input: VerifyReceiverInput, options?: CallOptions): Call<VerifyReceiverResult, VerifyReceiverError> {
  return send(client, { id: 'verifyReceiver', method: 'POST', path: '/api/receivers/verify', errors: `${common} ${withBody} ${withKey} INVALID_SIGNATURE CONFLICT UPSTREAM_UNAVAILABLE`, takesWallet: true }, input, options);
}

export type ListReceiversResult = schemas.Receiver[];
export type ListReceiversError = ErrorOf<Common | WithKey>;
/** List the proven receiving addresses of a wallet: `GET /api/receivers`.
 * Newest first, without pages: a wallet has at most 100. Its own address needs no proof.
 * **Needs** the secret of an API key with the permission `read`, or the wallet in `x-wallet`. */
export function listReceivers(client: Client, options?: CallOptions): Call<ListReceiversResult, ListReceiversError> {
  return send(client, { id: 'listReceivers', method: 'GET', path: '/api/receivers', errors: `${common} ${withKey}`, takesWallet: true }, {}, options);
}

export interface DeleteReceiverInput {
  /** Receiving address: EVM, Solana or TON */
  address: string;
}
export type DeleteReceiverResult = schemas.ReceiverDeleted;
export type DeleteReceiverError = ErrorOf<Common | WithPath | WithKey | 'NOT_FOUND'>;
/** Delete the proof of a receiving address: `DELETE /api/receivers/{address}`.
 * PayLinks to the address remain but are no longer `receiver_verified`. Counted payments stay counted.
 * **Needs** the secret of an API key with the permission `settings`, or the wallet in `x-wallet`. */
export function deleteReceiver(client: Client, input: DeleteReceiverInput, options?: CallOptions): Call<DeleteReceiverResult, DeleteReceiverError> {
  return send(client, { id: 'deleteReceiver', method: 'DELETE', path: '/api/receivers/{address}', errors: `${common} ${withPath} ${withKey} NOT_FOUND`, takesWallet: true }, input, options);
}

export type ListApiKeysResult = schemas.KeyView[];
export type ListApiKeysError = ErrorOf<Common | WithKey>;
/** List your API keys: `GET /api/keys`.
 * Newest first. Secrets are never listed: they are shown once, on creation.
 * **Needs** the wallet, in the header `x-wallet`. */
export function listApiKeys(client: Client, options?: CallOptions): Call<ListApiKeysResult, ListApiKeysError> {
  return send(client, { id: 'listApiKeys', method: 'GET', path: '/api/keys', errors: `${common} ${withKey}`, takesWallet: true }, {}, options);
}

export type CreateApiKeyInput = schemas.CreateKeyRequest;
export type CreateApiKeyResult = schemas.CreateKeyReply;
export type CreateApiKeyError = ErrorOf<Common | WithBody | WithKey | 'CONFLICT'>;
/** Create an API key: `POST /api/keys`.
 * At most 100 keys for each wallet. Only this reply contains the secret.
 * **Needs** the wallet, in the header `x-wallet`. */
export function createApiKey(client: Client, input: CreateApiKeyInput, options?: CallOptions): Call<CreateApiKeyResult, CreateApiKeyError> {
  return send(client, { id: 'createApiKey', method: 'POST', path: '/api/keys', errors: `${common} ${withBody} ${withKey} CONFLICT`, takesWallet: true }, input, options);
}

export type SetApiKeyEnabledInput = schemas.ToggleKeyRequest & {
  /** Id of the API key */
  id: string;
};
export type SetApiKeyEnabledResult = schemas.KeyView;
export type SetApiKeyEnabledError = ErrorOf<Common | WithBody | WithPath | WithKey | 'NOT_FOUND'>;
/** Enable or disable an API key: `PUT /api/keys/{id}/toggle`.
 * All gateways reject a disabled key within one second.
 * **Needs** the wallet, in the header `x-wallet`. */
export function setApiKeyEnabled(client: Client, input: SetApiKeyEnabledInput, options?: CallOptions): Call<SetApiKeyEnabledResult, SetApiKeyEnabledError> {
  return send(client, { id: 'setApiKeyEnabled', method: 'PUT', path: '/api/keys/{id}/toggle', errors: `${common} ${withBody} ${withPath} ${withKey} NOT_FOUND`, takesWallet: true }, input, options);
}

export type RegenerateApiKeyInput = schemas.RegenerateKeyRequest & {
  /** Id of the API key */
  id: string;
};
export type RegenerateApiKeyResult = schemas.RegenerateKeyReply;
export type RegenerateApiKeyError = ErrorOf<Common | WithBody | WithPath | WithKey | 'NOT_FOUND'>;
/** Give an API key a new secret: `POST /api/keys/{id}/regenerate`.
 * The previous secret ends immediately, or after the grace period. The publishable half does not change.
 * **Needs** the wallet, in the header `x-wallet`. */
export function regenerateApiKey(client: Client, input: RegenerateApiKeyInput, options?: CallOptions): Call<RegenerateApiKeyResult, RegenerateApiKeyError> {
  return send(client, { id: 'regenerateApiKey', method: 'POST', path: '/api/keys/{id}/regenerate', errors: `${common} ${withBody} ${withPath} ${withKey} NOT_FOUND`, takesWallet: true }, input, options);
}

export interface DeleteApiKeyInput {
  /** Id of the API key */
  id: string;
}
export type DeleteApiKeyResult = schemas.DeleteKeyReply;
export type DeleteApiKeyError = ErrorOf<Common | WithPath | WithKey | 'NOT_FOUND'>;
/** Delete an API key permanently: `DELETE /api/keys/{id}`.
 * **Needs** the wallet, in the header `x-wallet`. */
export function deleteApiKey(client: Client, input: DeleteApiKeyInput, options?: CallOptions): Call<DeleteApiKeyResult, DeleteApiKeyError> {
  return send(client, { id: 'deleteApiKey', method: 'DELETE', path: '/api/keys/{id}', errors: `${common} ${withPath} ${withKey} NOT_FOUND`, takesWallet: true }, input, options);
}

export interface ListApiKeySpendsInput {
  /** Id of the API key */
  id: string;
  /** Only spends of this month (UTC); without it all spends, newest first */
  month?: string;
  /** Largest number of items on a page; a value above 100 means 100 */
  limit?: number;
  /** `next_cursor` of the previous page, unchanged */
  cursor?: string;
}
export type ListApiKeySpendsResult = schemas.SpendsReply;
export type ListApiKeySpendsError = ErrorOf<Common | WithPath | WithKey | 'NOT_FOUND'>;
/** List the spends of an API key: `GET /api/keys/{id}/spends`.
 * The spends of the current month that are reserved or captured sum to `usedBudget`.
 * **Needs** the wallet, in the header `x-wallet`. */
export function listApiKeySpends(client: Client, input: ListApiKeySpendsInput, options?: CallOptions): ListCall<ListApiKeySpendsResult, schemas.SpendView, ListApiKeySpendsError> {
  return list(client, { id: 'listApiKeySpends', method: 'GET', path: '/api/keys/{id}/spends', errors: `${common} ${withPath} ${withKey} NOT_FOUND`, takesWallet: true, list: {"items":"spends"} }, input, options);
}

export type CreateSignInChallengeInput = schemas.ChallengeRequest;
export type CreateSignInChallengeResult = schemas.ChallengeReply;
export type CreateSignInChallengeError = ErrorOf<Common | WithBody>;
/** Create a sign-in challenge for a wallet: `POST /api/auth/challenge`.
 * The wallet may be any spelling of its address. Nothing is stored until the challenge is signed. In the sandbox, signing in is possible but not required. */
export function createSignInChallenge(client: Client, input: CreateSignInChallengeInput, options?: CallOptions): Call<CreateSignInChallengeResult, CreateSignInChallengeError> {
  return send(client, { id: 'createSignInChallenge', method: 'POST', path: '/api/auth/challenge', errors: `${common} ${withBody}` }, input, options);
}

export type SignInInput = schemas.VerifyRequest;
export type SignInResult = schemas.VerifyReply;
export type SignInError = ErrorOf<Common | WithBody | 'UPSTREAM_UNAVAILABLE'>;
/** Sign in: verify a wallet proof and create a session token: `POST /api/auth/verify`.
 * Each nonce creates one session. A rejected proof returns `401` with `details.reason`; the nonce stays valid until it is used or expires. After 60 rejected proofs within a minute from one address, the gateway returns `429`. */
export function signIn(client: Client, input: SignInInput, options?: CallOptions): Call<SignInResult, SignInError> {
  return send(client, { id: 'signIn', method: 'POST', path: '/api/auth/verify', errors: `${common} ${withBody} UPSTREAM_UNAVAILABLE` }, input, options);
}

export type ListSessionsResult = schemas.SessionsReply;
export type ListSessionsError = ErrorOf<Common | WithKey>;
/** List the sessions of a wallet, without their tokens: `GET /api/auth/sessions`.
 * **Needs** the wallet, in the header `x-wallet`. */
export function listSessions(client: Client, options?: CallOptions): Call<ListSessionsResult, ListSessionsError> {
  return send(client, { id: 'listSessions', method: 'GET', path: '/api/auth/sessions', errors: `${common} ${withKey}`, takesWallet: true }, {}, options);
}

export interface RevokeSessionInput {
  /** Id of the session */
  id: string;
}
export type RevokeSessionResult = schemas.SessionRevokedReply;
export type RevokeSessionError = ErrorOf<Common | WithPath | WithKey | 'NOT_FOUND'>;
/** Revoke a session; all gateways reject its token within one second: `DELETE /api/auth/sessions/{id}`.
 * **Needs** the wallet, in the header `x-wallet`. */
export function revokeSession(client: Client, input: RevokeSessionInput, options?: CallOptions): Call<RevokeSessionResult, RevokeSessionError> {
  return send(client, { id: 'revokeSession', method: 'DELETE', path: '/api/auth/sessions/{id}', errors: `${common} ${withPath} ${withKey} NOT_FOUND`, takesWallet: true }, input, options);
}

export type RevokeAllSessionsResult = schemas.SessionRevokedReply;
export type RevokeAllSessionsError = ErrorOf<Common | WithKey>;
/** Revoke all sessions of the wallet, including the current one: `DELETE /api/auth/sessions`.
 * **Needs** the wallet, in the header `x-wallet`. */
export function revokeAllSessions(client: Client, options?: CallOptions): Call<RevokeAllSessionsResult, RevokeAllSessionsError> {
  return send(client, { id: 'revokeAllSessions', method: 'DELETE', path: '/api/auth/sessions', errors: `${common} ${withKey}`, takesWallet: true }, {}, options);
}

export type GetSettingsResult = { [name: string]: unknown };
export type GetSettingsError = ErrorOf<Common | WithKey>;
/** Read your settings: `GET /api/settings`.
 * **Needs** the secret of an API key with the permission `read`, or the wallet in `x-wallet`. */
export function getSettings(client: Client, options?: CallOptions): Call<GetSettingsResult, GetSettingsError> {
  return send(client, { id: 'getSettings', method: 'GET', path: '/api/settings', errors: `${common} ${withKey}`, takesWallet: true }, {}, options);
}

export interface ReplaceSettingsInput {
  /** The whole settings object with any fields. These fields have a meaning: `webhookUrl`: public address that receives webhooks; absent, null or empty disables them, and one that cannot be used is stored with a warning. `storeName`: shown to payers beside the receiving address. `storeColor`: colour of the buttons of checkout and PayLink pages, such as `#1d4fc4`. `storeLogo`: image beside the name, as a `data:` URL with base64 of a PNG, JPEG or WebP of at most 32 KiB and 1,024 pixels a side. `embedOrigins`: at most 10 origins, such as `https://shop.example`, of pages that may show them in a frame. `defaultChain`, `defaultToken`: defaults for payment requests and PayLinks; checked when used. `receiveAddresses`: at most 64, the receiving address by chain family (`evm`, `ton`, `solana`, ...) or chain, for payment requests that give none; at most 65,536 bytes as JSON and 20 levels */
  settings: { [name: string]: unknown };
}
export type ReplaceSettingsResult = { [name: string]: unknown };
export type ReplaceSettingsError = ErrorOf<Common | WithBody | WithKey>;
/** Replace your settings: `PUT /api/settings`.
 * At most 64 KiB of JSON and 20 levels. Of two concurrent requests, one is stored as a whole. Returns the stored settings. No sample field is enforced: a `webhookUrl` that cannot be used is stored, and no webhooks are sent. A PUT without a previously stored `webhookUrl` removes it. The reply says both in `warnings` (`[{code, field, message}]`; `_warnings` when the settings contain a field named `warnings`). Warnings are never stored, even when a client sends them back.
 * **Needs** the secret of an API key with the permission `settings`, or the wallet in `x-wallet`. */
export function replaceSettings(client: Client, input: ReplaceSettingsInput, options?: CallOptions): Call<ReplaceSettingsResult, ReplaceSettingsError> {
  return send(client, { id: 'replaceSettings', method: 'PUT', path: '/api/settings', errors: `${common} ${withBody} ${withKey}`, body: 'settings', takesWallet: true }, input, options);
}

export type DeleteSettingsResult = schemas.SettingsDeleted;
export type DeleteSettingsError = ErrorOf<Common | WithKey>;
/** Delete your settings: `DELETE /api/settings/all`.
 * **Needs** the secret of an API key with the permission `settings`, or the wallet in `x-wallet`. */
export function deleteSettings(client: Client, options?: CallOptions): Call<DeleteSettingsResult, DeleteSettingsError> {
  return send(client, { id: 'deleteSettings', method: 'DELETE', path: '/api/settings/all', errors: `${common} ${withKey}`, takesWallet: true }, {}, options);
}

export interface ListWebhooksInput {
  /** Only messages in this state */
  status?: 'pending' | 'delivered' | 'failing' | 'parked';
  /** Only messages of this type */
  type?: 'order.created' | 'order.settling' | 'order.settled' | 'order.reopened' | 'order.failed' | 'order.exception' | 'order.expired' | 'order.reorged' | 'order.refunded' | 'payment.executing' | 'payment.completed' | 'payment.failed' | 'payment.expired' | 'paylink.paid' | 'paylink.payment_unverifiable' | 'paylink.payment_rejected' | 'paylink.payment_reverted' | 'payment.exception' | 'transaction.completed' | 'transaction.failed' | 'purchase.completed' | 'purchase.failed' | 'key.budget_warning' | 'key.budget_reached' | 'payout.updated' | 'webhook.test';
  /** Largest number of items on a page; a value above 100 means 100 */
  limit?: number;
  /** `next_cursor` of the previous page, unchanged */
  cursor?: string;
}
export type ListWebhooksResult = schemas.WebhooksReply;
export type ListWebhooksError = ErrorOf<Common | WithKey>;
/** List the messages sent to your endpoint: `GET /api/webhooks`.
 * **Needs** the secret of an API key with the permission `read`, or the wallet in `x-wallet`. */
export function listWebhooks(client: Client, input?: ListWebhooksInput, options?: CallOptions): ListCall<ListWebhooksResult, schemas.WebhookMessage, ListWebhooksError> {
  return list(client, { id: 'listWebhooks', method: 'GET', path: '/api/webhooks', errors: `${common} ${withKey}`, takesWallet: true, list: {"items":"webhooks"} }, input, options);
}

export type GetWebhookEndpointResult = schemas.WebhookEndpointReply;
export type GetWebhookEndpointError = ErrorOf<Common | WithKey>;
/** Read the state of your endpoint: `GET /api/webhooks/endpoint`.
 * **Needs** the secret of an API key with the permission `read`, or the wallet in `x-wallet`. */
export function getWebhookEndpoint(client: Client, options?: CallOptions): Call<GetWebhookEndpointResult, GetWebhookEndpointError> {
  return send(client, { id: 'getWebhookEndpoint', method: 'GET', path: '/api/webhooks/endpoint', errors: `${common} ${withKey}`, takesWallet: true }, {}, options);
}

export type ListWebhookTypesResult = schemas.WebhookTypesReply;
export type ListWebhookTypesError = ErrorOf<Common>;
/** List the message types, with schema and example: `GET /api/webhooks/types`. */
export function listWebhookTypes(client: Client, options?: CallOptions): Call<ListWebhookTypesResult, ListWebhookTypesError> {
  return send(client, { id: 'listWebhookTypes', method: 'GET', path: '/api/webhooks/types', errors: `${common}` }, {}, options);
}

export interface GetWebhookInput {
  /** Id of the message */
  id: string;
}
export type GetWebhookResult = schemas.WebhookDetails;
export type GetWebhookError = ErrorOf<Common | WithPath | WithKey | 'NOT_FOUND'>;
/** Read a message and its attempts: `GET /api/webhooks/{id}`.
 * **Needs** the secret of an API key with the permission `read`, or the wallet in `x-wallet`. */
export function getWebhook(client: Client, input: GetWebhookInput, options?: CallOptions): Call<GetWebhookResult, GetWebhookError> {
  return send(client, { id: 'getWebhook', method: 'GET', path: '/api/webhooks/{id}', errors: `${common} ${withPath} ${withKey} NOT_FOUND`, takesWallet: true }, input, options);
}

export interface ReplayWebhookInput {
  /** Id of the message */
  id: string;
}
export type ReplayWebhookResult = schemas.WebhookMessage;
export type ReplayWebhookError = ErrorOf<Common | WithBody | WithPath | WithKey | 'NOT_FOUND' | 'CONFLICT'>;
/** Replay a message: `POST /api/webhooks/{id}/replay`.
 * In any state and of any age: sends the same `webhook-id` immediately, and restarts the retry schedule when the attempt fails.
 * **Needs** the secret of an API key with the permission `write`, or the wallet in `x-wallet`. */
export function replayWebhook(client: Client, input: ReplayWebhookInput, options?: CallOptions): Call<ReplayWebhookResult, ReplayWebhookError> {
  return send(client, { id: 'replayWebhook', method: 'POST', path: '/api/webhooks/{id}/replay', errors: `${common} ${withBody} ${withPath} ${withKey} NOT_FOUND CONFLICT`, takesWallet: true }, input, options);
}

export type ListenToWebhooksInput = schemas.ListenToWebhooksRequest;
export type ListenToWebhooksResult = schemas.ListenToWebhooksReply;
export type ListenToWebhooksError = ErrorOf<Common | WithBody | WithKey>;
/** Record messages without an endpoint: `POST /api/webhooks/listen`.
 * For developers without a public address: until the time in the reply, new messages are stored also while the settings have no `webhookUrl`. Read them with `GET /api/webhooks` and `GET /api/webhooks/{id}`; `tollbridge listen` forwards them to your machine. Without a `webhookUrl` their status is `parked`. Deliveries to a `webhookUrl` do not change.
 * **Needs** the secret of an API key with the permission `write`, or the wallet in `x-wallet`. */
export function listenToWebhooks(client: Client, input?: ListenToWebhooksInput, options?: CallOptions): Call<ListenToWebhooksResult, ListenToWebhooksError> {
  return send(client, { id: 'listenToWebhooks', method: 'POST', path: '/api/webhooks/listen', errors: `${common} ${withBody} ${withKey}`, takesWallet: true }, input, options);
}

export type SendTestWebhookInput = schemas.WebhookTestRequest;
export type SendTestWebhookResult = schemas.WebhookTestReply;
export type SendTestWebhookError = ErrorOf<Common | WithBody | WithKey | 'CONFLICT'>;
/** Send a test message and return the result: `POST /api/webhooks/test`.
 * Sent immediately and once, before all waiting messages. If it succeeds, the waiting messages are sent too. Without a `webhookUrl`, the message is recorded for listeners (`POST /api/webhooks/listen`).
 * **Needs** the secret of an API key with the permission `write`, or the wallet in `x-wallet`. */
export function sendTestWebhook(client: Client, input?: SendTestWebhookInput, options?: CallOptions): Call<SendTestWebhookResult, SendTestWebhookError> {
  return send(client, { id: 'sendTestWebhook', method: 'POST', path: '/api/webhooks/test', errors: `${common} ${withBody} ${withKey} CONFLICT`, takesWallet: true }, input, options);
}

export type ResumeWebhooksResult = schemas.WebhookEndpointReply;
export type ResumeWebhooksError = ErrorOf<Common | WithBody | WithKey | 'CONFLICT'>;
/** Send to a paused endpoint again: `POST /api/webhooks/endpoint/resume`.
 * Ends the pause after failures, also after a 410: waiting messages are sent now, and a pause comes after five new failures in a row. Call it once the endpoint works again. Returns 409 without a webhookUrl.
 * **Needs** the secret of an API key with the permission `write`, or the wallet in `x-wallet`. */
export function resumeWebhooks(client: Client, options?: CallOptions): Call<ResumeWebhooksResult, ResumeWebhooksError> {
  return send(client, { id: 'resumeWebhooks', method: 'POST', path: '/api/webhooks/endpoint/resume', errors: `${common} ${withBody} ${withKey} CONFLICT`, takesWallet: true }, {}, options);
}

export type RotateWebhookSecretInput = schemas.RotateWebhookSecretRequest;
export type RotateWebhookSecretResult = schemas.WebhookSecretReply;
export type RotateWebhookSecretError = ErrorOf<Common | WithBody | WithKey | 'CONFLICT'>;
/** Create and show a new signing secret: `POST /api/webhooks/secret`.
 * Also creates the first secret. During the grace period, messages carry the signatures of both secrets.
 * **Needs** the secret of an API key with the permission `webhooks`, or the wallet in `x-wallet`. */
export function rotateWebhookSecret(client: Client, input?: RotateWebhookSecretInput, options?: CallOptions): Call<RotateWebhookSecretResult, RotateWebhookSecretError> {
  return send(client, { id: 'rotateWebhookSecret', method: 'POST', path: '/api/webhooks/secret', errors: `${common} ${withBody} ${withKey} CONFLICT`, takesWallet: true }, input, options);
}

export type ListServicesResult = schemas.CatalogReply;
export type ListServicesError = ErrorOf<Common | WithKey>;
/** List all available services: `GET /catalog`.
 * At most 1000.
 * **Needs** the secret of an API key with the permission `read`, or the wallet in `x-wallet`. */
export function listServices(client: Client, options?: CallOptions): Call<ListServicesResult, ListServicesError> {
  return send(client, { id: 'listServices', method: 'GET', path: '/catalog', errors: `${common} ${withKey}`, takesWallet: true }, {}, options);
}

export interface SearchServicesInput {
  /** Search words; a service must match all of them, each as a prefix. Punctuation is ignored. Without words: all services of the category */
  q?: string;
  /** Only services of this category */
  category?: string;
}
export type SearchServicesResult = schemas.CatalogSearchReply;
export type SearchServicesError = ErrorOf<Common | WithKey>;
/** Search services by words and category: `GET /catalog/search`.
 * Names rank above descriptions, and whole words above prefixes. At most 50 services are returned.
 * **Needs** the secret of an API key with the permission `read`, or the wallet in `x-wallet`. */
export function searchServices(client: Client, input?: SearchServicesInput, options?: CallOptions): Call<SearchServicesResult, SearchServicesError> {
  return send(client, { id: 'searchServices', method: 'GET', path: '/catalog/search', errors: `${common} ${withKey}`, takesWallet: true }, input, options);
}

export interface GetServiceInput {
  /** Id of the service */
  id: string;
}
export type GetServiceResult = schemas.CatalogService;
export type GetServiceError = ErrorOf<Common | WithPath | WithKey | 'NOT_FOUND'>;
/** Read a service: `GET /catalog/{id}`.
 * **Needs** the secret of an API key with the permission `read`, or the wallet in `x-wallet`. */
export function getService(client: Client, input: GetServiceInput, options?: CallOptions): Call<GetServiceResult, GetServiceError> {
  return send(client, { id: 'getService', method: 'GET', path: '/catalog/{id}', errors: `${common} ${withPath} ${withKey} NOT_FOUND`, takesWallet: true }, input, options);
}

export type PreviewPayoutInput = schemas.PayoutRequest;
export type PreviewPayoutResult = schemas.PayoutPreview;
export type PreviewPayoutError = ErrorOf<Common | WithBody | WithKey | 'UPSTREAM_UNAVAILABLE'>;
/** Preview the cost and warnings of a payout: `POST /payout/preview`.
 * The fee is 0.5 % of the total, rounded up to the smallest unit of the token. At most 1000 recipients; every address with its checksum, and once unless `allowDuplicates`. Nothing is stored. Every listed chain is answered; transfers are simulated on EVM chains with nodes.
 * **Needs** the secret of an API key with the permission `read`. */
export function previewPayout(client: Client, input: PreviewPayoutInput, options?: CallOptions): Call<PreviewPayoutResult, PreviewPayoutError> {
  return send(client, { id: 'previewPayout', method: 'POST', path: '/payout/preview', errors: `${common} ${withBody} ${withKey} UPSTREAM_UNAVAILABLE`, isRead: true }, input, options);
}

export type SubmitPayoutInput = schemas.PayoutRequest;
export type SubmitPayoutResult = schemas.PayoutReply;
export type SubmitPayoutError = ErrorOf<Common | WithBody | WithKey | 'BUDGET_EXCEEDED' | 'MAX_PER_TX_EXCEEDED' | 'UPSTREAM_UNAVAILABLE'>;
/** Submit a payout: `POST /payout/batch`.
 * The fee is 0.5 % of the total, rounded up to the smallest unit of the token. At most 1000 recipients; every address with its checksum, and once unless `allowDuplicates`. The payout is recorded as `pending`. With on-chain submission (`PAYOUT_ONCHAIN=on`), tokens are paid after the wallet signed what `GET /payout/{id}` returns and another key approved the payout; until it ends, its value is reserved in the budget of the key. Without on-chain submission, on other chains, and for native coins, nothing is sent, charged or held.
 * **Needs** the secret of an API key with the permission `write`. */
export function submitPayout(client: Client, input: SubmitPayoutInput, options?: CallOptions): Call<SubmitPayoutResult, SubmitPayoutError> {
  return send(client, { id: 'submitPayout', method: 'POST', path: '/payout/batch', errors: `${common} ${withBody} ${withKey} BUDGET_EXCEEDED MAX_PER_TX_EXCEEDED UPSTREAM_UNAVAILABLE` }, input, options);
}

export interface ListPayoutsInput {
  /** Only payouts with this on-chain status */
  state?: 'awaiting_approval' | 'sending' | 'completed' | 'partly_paid' | 'failed' | 'rejected' | 'expired';
  /** Largest number of items on a page; a value above 100 means 100 */
  limit?: number;
  /** `next_cursor` of the previous page, unchanged */
  cursor?: string;
}
export type ListPayoutsResult = schemas.PayoutsReply;
export type ListPayoutsError = ErrorOf<Common | WithKey>;
/** List your payouts: `GET /payout`.
 * **Needs** the secret of an API key with the permission `read`, or the wallet in `x-wallet`. */
export function listPayouts(client: Client, input?: ListPayoutsInput, options?: CallOptions): ListCall<ListPayoutsResult, schemas.PayoutSummary, ListPayoutsError> {
  return list(client, { id: 'listPayouts', method: 'GET', path: '/payout', errors: `${common} ${withKey}`, takesWallet: true, list: {"items":"payouts"} }, input, options);
}

export interface GetPayoutInput {
  /** Id of the payout */
  id: string;
}
export type GetPayoutResult = schemas.PayoutRecord;
export type GetPayoutError = ErrorOf<Common | WithPath | WithKey | 'NOT_FOUND'>;
/** Read a payout with its recipients: `GET /payout/{id}`.
 * Gas and warnings are from the time of submission. While the payout waits for approval, the reply contains what the wallet has to sign.
 * **Needs** the secret of an API key with the permission `read`, or the wallet in `x-wallet`. */
export function getPayout(client: Client, input: GetPayoutInput, options?: CallOptions): Call<GetPayoutResult, GetPayoutError> {
  return send(client, { id: 'getPayout', method: 'GET', path: '/payout/{id}', errors: `${common} ${withPath} ${withKey} NOT_FOUND`, takesWallet: true }, input, options);
}

export type ApprovePayoutInput = schemas.PayoutApproval & {
  /** Id of the payout */
  id: string;
};
export type ApprovePayoutResult = schemas.PayoutDecision;
export type ApprovePayoutError = ErrorOf<Common | WithBody | WithPath | WithKey | 'INVALID_SIGNATURE' | 'SECOND_KEY_REQUIRED' | 'NOT_FOUND' | 'CONFLICT' | 'INSUFFICIENT_BALANCE' | 'INSUFFICIENT_ALLOWANCE' | 'TRANSACTION_FAILED' | 'GAS_LIMIT_EXCEEDED' | 'UPSTREAM_UNAVAILABLE'>;
/** Approve a payout, with another key than the submitting one, or with the wallet: `POST /payout/{id}/approve`.
 * The service verifies signatures, balance, allowance and a simulation on the newest block before it stores the approval. It then sends every batch once. The operator pays the gas, which the fee must cover.
 * **Needs** the secret of an API key with the permission `write`, or the wallet in `x-wallet`. */
export function approvePayout(client: Client, input: ApprovePayoutInput, options?: CallOptions): Call<ApprovePayoutResult, ApprovePayoutError> {
  return send(client, { id: 'approvePayout', method: 'POST', path: '/payout/{id}/approve', errors: `${common} ${withBody} ${withPath} ${withKey} INVALID_SIGNATURE SECOND_KEY_REQUIRED NOT_FOUND CONFLICT INSUFFICIENT_BALANCE INSUFFICIENT_ALLOWANCE TRANSACTION_FAILED GAS_LIMIT_EXCEEDED UPSTREAM_UNAVAILABLE`, takesWallet: true }, input, options);
}

export interface RejectPayoutInput {
  /** Id of the payout */
  id: string;
}
export type RejectPayoutResult = schemas.PayoutDecision;
export type RejectPayoutError = ErrorOf<Common | WithBody | WithPath | WithKey | 'NOT_FOUND' | 'CONFLICT'>;
/** Reject a payout that waits for approval: `POST /payout/{id}/reject`.
 * Any key of the wallet with `write` permission may reject, and so may the wallet. The held budget is released.
 * **Needs** the secret of an API key with the permission `write`, or the wallet in `x-wallet`. */
export function rejectPayout(client: Client, input: RejectPayoutInput, options?: CallOptions): Call<RejectPayoutResult, RejectPayoutError> {
  return send(client, { id: 'rejectPayout', method: 'POST', path: '/payout/{id}/reject', errors: `${common} ${withBody} ${withPath} ${withKey} NOT_FOUND CONFLICT`, takesWallet: true }, input, options);
}

export type ListEmailDomainsResult = schemas.EmailDomainsReply;
export type ListEmailDomainsError = ErrorOf<Common | WithKey | 'UPSTREAM_UNAVAILABLE'>;
/** List the domains of disposable addresses: `GET /email/domains`.
 * **Needs** the secret of an API key with the permission `read`. */
export function listEmailDomains(client: Client, options?: CallOptions): Call<ListEmailDomainsResult, ListEmailDomainsError> {
  return send(client, { id: 'listEmailDomains', method: 'GET', path: '/email/domains', errors: `${common} ${withKey} UPSTREAM_UNAVAILABLE`, timeoutMs: 40000 }, {}, options);
}

export type CreateEmailAccountInput = schemas.EmailAccountRequest;
export type CreateEmailAccountResult = schemas.EmailAccount;
export type CreateEmailAccountError = ErrorOf<Common | WithBody | WithKey | 'CONFLICT' | 'UPSTREAM_UNAVAILABLE'>;
/** Create a disposable address: `POST /email/account`.
 * The address lasts for days. Only this reply contains its password and token.
 * **Needs** the secret of an API key with the permission `write`. Where the operator sells without an account, a call without credentials gets `402` with the price, and is paid by `Payment-Signature` or `Authorization: Payment`. */
export function createEmailAccount(client: Client, input?: CreateEmailAccountInput, options?: CallOptions): Call<CreateEmailAccountResult, CreateEmailAccountError> {
  return send(client, { id: 'createEmailAccount', method: 'POST', path: '/email/account', errors: `${common} ${withBody} ${withKey} CONFLICT UPSTREAM_UNAVAILABLE`, timeoutMs: 65000 }, input, options);
}

export interface ListEmailMessagesInput {
  /** Token of the account. Prefer the header `x-email-token`: URLs end up in logs */
  token?: string;
  /** 30 messages per page, newest first */
  page?: number;
}
export type ListEmailMessagesResult = schemas.EmailMessagesReply;
export type ListEmailMessagesError = ErrorOf<Common | 'UPSTREAM_UNAVAILABLE'>;
/** List the messages of a disposable address: `GET /email/messages`.
 * Needs no API key: the token of the account gives access, in the header `x-email-token` or as `token` in the query. */
export function listEmailMessages(client: Client, input?: ListEmailMessagesInput, options?: CallOptions): ListCall<ListEmailMessagesResult, schemas.EmailMessageSummary, ListEmailMessagesError> {
  return list(client, { id: 'listEmailMessages', method: 'GET', path: '/email/messages', errors: `${common} UPSTREAM_UNAVAILABLE`, headers: {"token":"x-email-token"}, timeoutMs: 40000, list: {"items":"messages","firstPage":1} }, input, options);
}

export interface GetEmailMessageInput {
  /** Token of the account. Prefer the header `x-email-token`: URLs end up in logs */
  token?: string;
  /** Id of the message */
  id: string;
}
export type GetEmailMessageResult = schemas.EmailMessageDetails;
export type GetEmailMessageError = ErrorOf<Common | WithPath | 'NOT_FOUND' | 'UPSTREAM_UNAVAILABLE'>;
/** Read a message and its confirmation code: `GET /email/messages/{id}`.
 * Needs no API key: the token of the account gives access, in the header `x-email-token` or as `token` in the query. */
export function getEmailMessage(client: Client, input: GetEmailMessageInput, options?: CallOptions): Call<GetEmailMessageResult, GetEmailMessageError> {
  return send(client, { id: 'getEmailMessage', method: 'GET', path: '/email/messages/{id}', errors: `${common} ${withPath} NOT_FOUND UPSTREAM_UNAVAILABLE`, headers: {"token":"x-email-token"}, timeoutMs: 40000 }, input, options);
}

export type CreateEmailAccountAndWaitInput = schemas.EmailAccountAndWaitRequest;
export type CreateEmailAccountAndWaitResult = schemas.EmailAccountAndWaitReply;
export type CreateEmailAccountAndWaitError = ErrorOf<Common | WithBody | WithKey | 'CONFLICT' | 'UPSTREAM_UNAVAILABLE'>;
/** Create a disposable address and wait for its first message: `POST /email/account-and-wait`.
 * Returns the first message with its confirmation code, or `timeout: true` after `timeout` seconds. Choose `username` and the first domain of `GET /email/domains` when the sender must know the address during the call. Closing the connection ends the call.
 * **Needs** the secret of an API key with the permission `write`. */
export function createEmailAccountAndWait(client: Client, input?: CreateEmailAccountAndWaitInput, options?: CallOptions): Call<CreateEmailAccountAndWaitResult, CreateEmailAccountAndWaitError> {
  return send(client, { id: 'createEmailAccountAndWait', method: 'POST', path: '/email/account-and-wait', errors: `${common} ${withBody} ${withKey} CONFLICT UPSTREAM_UNAVAILABLE`, timeoutMs: 175000 }, input, options);
}

export type CreateAgentInboxInput = schemas.AgentInboxRequest;
export type CreateAgentInboxResult = schemas.AgentInbox;
export type CreateAgentInboxError = ErrorOf<Common | WithBody | WithKey | 'CONFLICT' | 'UPSTREAM_UNAVAILABLE'>;
/** Create a permanent inbox: `POST /agentmail/inboxes`.
 * The same wallet gets the same inbox when it repeats the call.
 * **Needs** the secret of an API key with the permission `write`. Where the operator sells without an account, a call without credentials gets `402` with the price, and is paid by `Payment-Signature` or `Authorization: Payment`. */
export function createAgentInbox(client: Client, input: CreateAgentInboxInput, options?: CallOptions): Call<CreateAgentInboxResult, CreateAgentInboxError> {
  return send(client, { id: 'createAgentInbox', method: 'POST', path: '/agentmail/inboxes', errors: `${common} ${withBody} ${withKey} CONFLICT UPSTREAM_UNAVAILABLE`, timeoutMs: 45000 }, input, options);
}

export type SendFromAgentInboxInput = schemas.AgentSendRequest;
export type SendFromAgentInboxResult = schemas.AgentSendReply;
export type SendFromAgentInboxError = ErrorOf<Common | WithBody | WithKey | 'NOT_FOUND' | 'PURCHASE_REFUSED' | 'UPSTREAM_UNAVAILABLE'>;
/** Send an email from an inbox: `POST /agentmail/send`.
 * With an `Idempotency-Key` the email is sent once, however often the call is repeated. Without one each call sends it, and `504` means that it may have been sent.
 * **Needs** the secret of an API key with the permission `write`. Where the operator sells without an account, a call without credentials gets `402` with the price, and is paid by `Payment-Signature` or `Authorization: Payment`. */
export function sendFromAgentInbox(client: Client, input: SendFromAgentInboxInput, options?: CallOptions): Call<SendFromAgentInboxResult, SendFromAgentInboxError> {
  return send(client, { id: 'sendFromAgentInbox', method: 'POST', path: '/agentmail/send', errors: `${common} ${withBody} ${withKey} NOT_FOUND PURCHASE_REFUSED UPSTREAM_UNAVAILABLE`, timeoutMs: 45000 }, input, options);
}

export type SendEmailInput = schemas.EmailSendRequest;
export type SendEmailResult = schemas.EmailSendReply;
export type SendEmailError = ErrorOf<Common | WithBody | WithKey | 'PURCHASE_REFUSED' | 'UPSTREAM_UNAVAILABLE'>;
/** Send an email from the domain of this deployment: `POST /resend/send`.
 * Success means that the provider accepted the email, not that it arrived. With an `Idempotency-Key` the email is sent once, however often the call is repeated; without one, `504` means that it may have been sent.
 * **Needs** the secret of an API key with the permission `write`. Where the operator sells without an account, a call without credentials gets `402` with the price, and is paid by `Payment-Signature` or `Authorization: Payment`. */
export function sendEmail(client: Client, input: SendEmailInput, options?: CallOptions): Call<SendEmailResult, SendEmailError> {
  return send(client, { id: 'sendEmail', method: 'POST', path: '/resend/send', errors: `${common} ${withBody} ${withKey} PURCHASE_REFUSED UPSTREAM_UNAVAILABLE`, timeoutMs: 45000 }, input, options);
}

export type CreateAgentEmailAddressInput = schemas.AgentEmailRequest;
export type CreateAgentEmailAddressResult = schemas.AgentEmailReply;
export type CreateAgentEmailAddressError = ErrorOf<Common | WithBody | WithKey>;
/** Create an email address for an agent: `POST /resend/agent-email`.
 * The address is the same each time, and belongs to this wallet only. It can send email immediately.
 * **Needs** the secret of an API key with the permission `write`. Where the operator sells without an account, a call without credentials gets `402` with the price, and is paid by `Payment-Signature` or `Authorization: Payment`. */
export function createAgentEmailAddress(client: Client, input: CreateAgentEmailAddressInput, options?: CallOptions): Call<CreateAgentEmailAddressResult, CreateAgentEmailAddressError> {
  return send(client, { id: 'createAgentEmailAddress', method: 'POST', path: '/resend/agent-email', errors: `${common} ${withBody} ${withKey}` }, input, options);
}

export interface ListGiftCardsInput {
  /** Country in which the cards are redeemed */
  country?: string;
  /** Page number */
  page?: number;
  /** Largest number of items on a page; a value above 300 means 300 */
  size?: number;
}
export type ListGiftCardsResult = schemas.GiftCardProduct[];
export type ListGiftCardsError = ErrorOf<Common | WithKey | 'NOT_FOUND' | 'UPSTREAM_UNAVAILABLE'>;
/** List the gift cards of a country: `GET /gift/giftcards/products`.
 * At most 300 items per page: a larger `size` means 300. The header `x-limit` contains the applied size.
 * **Needs** the secret of an API key with the permission `read`. */
export function listGiftCards(client: Client, input?: ListGiftCardsInput, options?: CallOptions): ListCall<ListGiftCardsResult, schemas.GiftCardProduct, ListGiftCardsError> {
  return list(client, { id: 'listGiftCards', method: 'GET', path: '/gift/giftcards/products', errors: `${common} ${withKey} NOT_FOUND UPSTREAM_UNAVAILABLE`, timeoutMs: 40000, list: {"firstPage":1} }, input, options);
}

export type OrderGiftCardInput = schemas.GiftCardOrderRequest;
export type OrderGiftCardResult = schemas.GiftCardOrder;
export type OrderGiftCardError = ErrorOf<Common | WithBody | WithKey | 'PURCHASE_REFUSED' | 'CONFLICT' | 'BUDGET_EXCEEDED' | 'MAX_PER_TX_EXCEEDED' | 'UPSTREAM_UNAVAILABLE'>;
/** Buy gift cards: `POST /gift/giftcards/order`.
 * One purchase is made for each `customIdentifier`, or else for each `Idempotency-Key`, even with concurrent calls; a repeated call returns the current state. `504 OUTCOME_UNKNOWN`: the service is finding out whether the purchase was made; repeat the call with the same reference. The request is validated first (400), and a purchase that is not delivered returns `422 PURCHASE_REFUSED` with a `reason`. The codes are read from the provider for the reply, and stored nowhere.
 * **Needs** the secret of an API key with the permission `write`. Where the operator sells without an account, a call without credentials gets `402` with the price, and is paid by `Payment-Signature` or `Authorization: Payment`. */
export function orderGiftCard(client: Client, input: OrderGiftCardInput, options?: CallOptions): Call<OrderGiftCardResult, OrderGiftCardError> {
  return send(client, { id: 'orderGiftCard', method: 'POST', path: '/gift/giftcards/order', errors: `${common} ${withBody} ${withKey} PURCHASE_REFUSED CONFLICT BUDGET_EXCEEDED MAX_PER_TX_EXCEEDED UPSTREAM_UNAVAILABLE`, timeoutMs: 105000 }, input, options);
}

export interface DetectMobileOperatorInput {
  /** The phone number */
  phone: string;
  /** Country of the phone number */
  country: string;
}
export type DetectMobileOperatorResult = schemas.AirtimeOperator;
export type DetectMobileOperatorError = ErrorOf<Common | WithKey | 'NOT_FOUND' | 'UPSTREAM_UNAVAILABLE'>;
/** Look up the operator of a phone number, and its top-up amounts: `GET /gift/airtime/detect`.
 * **Needs** the secret of an API key with the permission `read`. */
export function detectMobileOperator(client: Client, input: DetectMobileOperatorInput, options?: CallOptions): Call<DetectMobileOperatorResult, DetectMobileOperatorError> {
  return send(client, { id: 'detectMobileOperator', method: 'GET', path: '/gift/airtime/detect', errors: `${common} ${withKey} NOT_FOUND UPSTREAM_UNAVAILABLE`, timeoutMs: 40000 }, input, options);
}

export type TopUpPhoneInput = schemas.TopUpRequest;
export type TopUpPhoneResult = schemas.TopUp;
export type TopUpPhoneError = ErrorOf<Common | WithBody | WithKey | 'PURCHASE_REFUSED' | 'CONFLICT' | 'BUDGET_EXCEEDED' | 'MAX_PER_TX_EXCEEDED' | 'UPSTREAM_UNAVAILABLE'>;
/** Top up a phone: `POST /gift/airtime/topup`.
 * One purchase is made for each `customIdentifier`, or else for each `Idempotency-Key`, even with concurrent calls; a repeated call returns the current state. `504 OUTCOME_UNKNOWN`: the service is finding out whether the purchase was made; repeat the call with the same reference. The request is validated first (400), and a purchase that is not delivered returns `422 PURCHASE_REFUSED` with a `reason`.
 * **Needs** the secret of an API key with the permission `write`. Where the operator sells without an account, a call without credentials gets `402` with the price, and is paid by `Payment-Signature` or `Authorization: Payment`. */
export function topUpPhone(client: Client, input: TopUpPhoneInput, options?: CallOptions): Call<TopUpPhoneResult, TopUpPhoneError> {
  return send(client, { id: 'topUpPhone', method: 'POST', path: '/gift/airtime/topup', errors: `${common} ${withBody} ${withKey} PURCHASE_REFUSED CONFLICT BUDGET_EXCEEDED MAX_PER_TX_EXCEEDED UPSTREAM_UNAVAILABLE`, timeoutMs: 105000 }, input, options);
}

export interface ListBillersInput {
  /** Only billers of this country */
  country?: string;
  /** Only billers of this type, such as `ELECTRICITY_BILL_PAYMENT`, `WATER_BILL_PAYMENT`, `TV_BILL_PAYMENT` or `INTERNET_BILL_PAYMENT`; an unused type returns an empty list */
  type?: string;
  /** Page number */
  page?: number;
  /** Largest number of items on a page; a value above 300 means 300 */
  size?: number;
}
export type ListBillersResult = schemas.Biller[];
export type ListBillersError = ErrorOf<Common | WithKey | 'UPSTREAM_UNAVAILABLE'>;
/** List the supported billers: `GET /gift/utilities/billers`.
 * At most 300 items per page: a larger `size` means 300. The header `x-limit` contains the applied size.
 * **Needs** the secret of an API key with the permission `read`. */
export function listBillers(client: Client, input?: ListBillersInput, options?: CallOptions): ListCall<ListBillersResult, schemas.Biller, ListBillersError> {
  return list(client, { id: 'listBillers', method: 'GET', path: '/gift/utilities/billers', errors: `${common} ${withKey} UPSTREAM_UNAVAILABLE`, timeoutMs: 40000, list: {"firstPage":1} }, input, options);
}

export type PayBillInput = schemas.PayBillRequest;
export type PayBillResult = schemas.BillPayment;
export type PayBillError = ErrorOf<Common | WithBody | WithKey | 'PURCHASE_REFUSED' | 'CONFLICT' | 'BUDGET_EXCEEDED' | 'MAX_PER_TX_EXCEEDED' | 'UPSTREAM_UNAVAILABLE'>;
/** Pay a bill, or top up a meter: `POST /gift/utilities/pay`.
 * One purchase is made for each `customIdentifier`, or else for each `Idempotency-Key`, even with concurrent calls; a repeated call returns the current state. `504 OUTCOME_UNKNOWN`: the service is finding out whether the purchase was made; repeat the call with the same reference. The request is validated first (400), and a purchase that is not delivered returns `422 PURCHASE_REFUSED` with a `reason`. A bill can take up to a day; most are paid within seconds.
 * **Needs** the secret of an API key with the permission `write`. Where the operator sells without an account, a call without credentials gets `402` with the price, and is paid by `Payment-Signature` or `Authorization: Payment`. */
export function payBill(client: Client, input: PayBillInput, options?: CallOptions): Call<PayBillResult, PayBillError> {
  return send(client, { id: 'payBill', method: 'POST', path: '/gift/utilities/pay', errors: `${common} ${withBody} ${withKey} PURCHASE_REFUSED CONFLICT BUDGET_EXCEEDED MAX_PER_TX_EXCEEDED UPSTREAM_UNAVAILABLE`, timeoutMs: 105000 }, input, options);
}

export type GetServiceBalanceResult = schemas.ServiceBalance;
export type GetServiceBalanceError = ErrorOf<Common | WithKey | 'UPSTREAM_UNAVAILABLE'>;
/** Read the remaining balance for gift cards, airtime and bills: `GET /gift/balance`.
 * **Needs** the secret of an API key with the permission `read`. */
export function getServiceBalance(client: Client, options?: CallOptions): Call<GetServiceBalanceResult, GetServiceBalanceError> {
  return send(client, { id: 'getServiceBalance', method: 'GET', path: '/gift/balance', errors: `${common} ${withKey} UPSTREAM_UNAVAILABLE`, timeoutMs: 40000 }, {}, options);
}

export type RentPhoneNumberInput = schemas.RentNumberRequest;
export type RentPhoneNumberResult = schemas.VirtualNumber;
export type RentPhoneNumberError = ErrorOf<Common | WithBody | WithKey | 'BUDGET_EXCEEDED' | 'MAX_PER_TX_EXCEEDED' | 'UPSTREAM_UNAVAILABLE' | 'PURCHASE_REFUSED'>;
/** Rent a number for one code: `POST /sms/number`.
 * The number lasts for about 20 minutes. When no code arrives it is returned automatically, and its price is released to the budget of the key.
 * **Needs** the secret of an API key with the permission `write`. Where the operator sells without an account, a call without credentials gets `402` with the price, and is paid by `Payment-Signature` or `Authorization: Payment`. */
export function rentPhoneNumber(client: Client, input: RentPhoneNumberInput, options?: CallOptions): Call<RentPhoneNumberResult, RentPhoneNumberError> {
  return send(client, { id: 'rentPhoneNumber', method: 'POST', path: '/sms/number', errors: `${common} ${withBody} ${withKey} BUDGET_EXCEEDED MAX_PER_TX_EXCEEDED UPSTREAM_UNAVAILABLE PURCHASE_REFUSED`, timeoutMs: 50000 }, input, options);
}

export interface GetSmsCodeInput {
  /** Id of the rental */
  id: string;
}
export type GetSmsCodeResult = schemas.CodeStatus;
export type GetSmsCodeError = ErrorOf<Common | WithPath | WithKey | 'NOT_FOUND' | 'UPSTREAM_UNAVAILABLE'>;
/** Read the code of a rented number: `GET /sms/status/{id}`.
 * **Needs** the secret of an API key with the permission `read`. What was bought by a payment is read with `Purchase-Token` instead. */
export function getSmsCode(client: Client, input: GetSmsCodeInput, options?: CallOptions): Call<GetSmsCodeResult, GetSmsCodeError> {
  return send(client, { id: 'getSmsCode', method: 'GET', path: '/sms/status/{id}', errors: `${common} ${withPath} ${withKey} NOT_FOUND UPSTREAM_UNAVAILABLE`, timeoutMs: 35000 }, input, options);
}

export type RentPhoneNumberAndAwaitCodeInput = schemas.AwaitCodeRequest;
export type RentPhoneNumberAndAwaitCodeResult = schemas.AwaitedCode;
export type RentPhoneNumberAndAwaitCodeError = ErrorOf<Common | WithBody | WithKey | 'BUDGET_EXCEEDED' | 'MAX_PER_TX_EXCEEDED' | 'UPSTREAM_UNAVAILABLE' | 'PURCHASE_REFUSED'>;
/** Rent a number and wait for its code: `POST /sms/number-and-wait`.
 * When no code arrives in time, or the client closes the connection, the number is returned and its price refunded. Providers allow this only 2 minutes after the rental, so it may happen after the reply. The gateway sends nothing while the call waits: set the client's read timeout, and the idle timeout of every proxy before the gateway, above `timeout` plus 45 seconds. When the service stops, the call ends with `OUTCOME_UNKNOWN`; the same call with the same `Idempotency-Key` continues to wait for the same number.
 * **Needs** the secret of an API key with the permission `write`. Where the operator sells without an account, a call without credentials gets `402` with the price, and is paid by `Payment-Signature` or `Authorization: Payment`. */
export function rentPhoneNumberAndAwaitCode(client: Client, input: RentPhoneNumberAndAwaitCodeInput, options?: CallOptions): Call<RentPhoneNumberAndAwaitCodeResult, RentPhoneNumberAndAwaitCodeError> {
  return send(client, { id: 'rentPhoneNumberAndAwaitCode', method: 'POST', path: '/sms/number-and-wait', errors: `${common} ${withBody} ${withKey} BUDGET_EXCEEDED MAX_PER_TX_EXCEEDED UPSTREAM_UNAVAILABLE PURCHASE_REFUSED`, timeoutMs: 650000 }, input, options);
}

export type SendSmsInput = schemas.SendSmsRequest;
export type SendSmsResult = schemas.SentSms;
export type SendSmsError = ErrorOf<Common | WithBody | WithKey | 'BUDGET_EXCEEDED' | 'MAX_PER_TX_EXCEEDED' | 'UPSTREAM_UNAVAILABLE' | 'PURCHASE_REFUSED'>;
/** Send a text message: `POST /sms/send`.
 * Sent once for each `Idempotency-Key`. When the provider's response was lost, the service searches the provider's message list before it sends again.
 * **Needs** the secret of an API key with the permission `write`. Where the operator sells without an account, a call without credentials gets `402` with the price, and is paid by `Payment-Signature` or `Authorization: Payment`. */
export function sendSms(client: Client, input: SendSmsInput, options?: CallOptions): Call<SendSmsResult, SendSmsError> {
  return send(client, { id: 'sendSms', method: 'POST', path: '/sms/send', errors: `${common} ${withBody} ${withKey} BUDGET_EXCEEDED MAX_PER_TX_EXCEEDED UPSTREAM_UNAVAILABLE PURCHASE_REFUSED`, timeoutMs: 50000 }, input, options);
}

export type BuyCardInput = schemas.GetCardRequest;
export type BuyCardResult = schemas.NewCard;
export type BuyCardError = ErrorOf<Common | WithBody | WithKey | 'BUDGET_EXCEEDED' | 'MAX_PER_TX_EXCEEDED' | 'PURCHASE_REFUSED' | 'UPSTREAM_UNAVAILABLE'>;
/** Issue a virtual card: `POST /card/get-card`.
 * A new card that can spend `amount` in total. With `status: open` the reply contains number, security code and expiry; the service reads them from the issuer for this reply only and stores them nowhere. An issuer may need some seconds: the reply is then `pending` without them, and `GET /card/card-data` shows them later, as it does when the issuer fails during this call. Send an `Idempotency-Key`: the service issues one card for it. A replay returns the stored record of the first reply with the number read from the issuer again, at most 10 times a minute for each card.
 * **Needs** the secret of an API key with the permission `write`. */
export function buyCard(client: Client, input: BuyCardInput, options?: CallOptions): Call<BuyCardResult, BuyCardError> {
  return send(client, { id: 'buyCard', method: 'POST', path: '/card/get-card', errors: `${common} ${withBody} ${withKey} BUDGET_EXCEEDED MAX_PER_TX_EXCEEDED PURCHASE_REFUSED UPSTREAM_UNAVAILABLE`, timeoutMs: 95000 }, input, options);
}

export interface RevealCardInput {
  /** `cardId` of the card */
  card_id: string;
}
export type RevealCardResult = schemas.CardData;
export type RevealCardError = ErrorOf<Common | WithKey | 'NOT_FOUND' | 'UPSTREAM_UNAVAILABLE'>;
/** Show the number of a card: `GET /card/card-data`.
 * Number, security code and expiry, read from the issuer for this reply only. They are stored nowhere, and each read is recorded. At most 10 times a minute for each card.
 * **Needs** the secret of an API key with the permission `read`. */
export function revealCard(client: Client, input: RevealCardInput, options?: CallOptions): Call<RevealCardResult, RevealCardError> {
  return send(client, { id: 'revealCard', method: 'GET', path: '/card/card-data', errors: `${common} ${withKey} NOT_FOUND UPSTREAM_UNAVAILABLE` }, input, options);
}

export interface ListCardsInput {
  /** The wallet of the API key */
  wallet: string;
  /** Largest number of items on a page; a value above 1,000 means 1,000 */
  limit?: number;
  /** `next_cursor` of the previous page, unchanged */
  cursor?: string;
}
export type ListCardsResult = schemas.MyCardsReply;
export type ListCardsError = ErrorOf<Common | WithKey>;
/** List the cards of a wallet: `GET /card/my-cards`.
 * All cards of the wallet, at most 1,000: last four digits and state of each, never a full number.
 * **Needs** the secret of an API key with the permission `read`. */
export function listCards(client: Client, input: ListCardsInput, options?: CallOptions): ListCall<ListCardsResult, schemas.CardRecord, ListCardsError> {
  return list(client, { id: 'listCards', method: 'GET', path: '/card/my-cards', errors: `${common} ${withKey}`, list: {"items":"cards"} }, input, options);
}

export interface GetNanoPaymentBalanceInput {
  /** TON account */
  address: string;
}
export type GetNanoPaymentBalanceResult = schemas.NanoBalance;
export type GetNanoPaymentBalanceError = ErrorOf<Common | WithPath>;
/** Read the balance and totals of an account: `GET /balance/{address}`.
 * An unknown account has zeros. */
export function getNanoPaymentBalance(client: Client, input: GetNanoPaymentBalanceInput, options?: CallOptions): Call<GetNanoPaymentBalanceResult, GetNanoPaymentBalanceError> {
  return send(client, { id: 'getNanoPaymentBalance', method: 'GET', path: '/balance/{address}', errors: `${common} ${withPath}` }, input, options);
}

export type GetNanoPaymentStatsResult = schemas.NanoStats;
export type GetNanoPaymentStatsError = ErrorOf<Common>;
/** Read payment totals and processing times: `GET /stats`.
 * At most one second old. */
export function getNanoPaymentStats(client: Client, options?: CallOptions): Call<GetNanoPaymentStatsResult, GetNanoPaymentStatsError> {
  return send(client, { id: 'getNanoPaymentStats', method: 'GET', path: '/stats', errors: `${common}` }, {}, options);
}

export type SetNanoPaymentPolicyInput = schemas.PolicyRequest;
export type SetNanoPaymentPolicyResult = schemas.Policy;
export type SetNanoPaymentPolicyError = ErrorOf<Common | WithBody | WithKey | 'CONFLICT'>;
/** Set the payment limits of an account: `POST /policy`.
 * A payment above `maxAmount` waits for approval; payments above `rateLimit` are rejected. Authorised by a signature of the owner, or by an API key or session of the same wallet. Any client may limit an account that has neither key nor balance. */
export function setNanoPaymentPolicy(client: Client, input: SetNanoPaymentPolicyInput, options?: CallOptions): Call<SetNanoPaymentPolicyResult, SetNanoPaymentPolicyError> {
  return send(client, { id: 'setNanoPaymentPolicy', method: 'POST', path: '/policy', errors: `${common} ${withBody} ${withKey} CONFLICT` }, input, options);
}

export interface GetNanoPaymentPolicyInput {
  /** TON account */
  address: string;
}
export type GetNanoPaymentPolicyResult = schemas.Policy;
export type GetNanoPaymentPolicyError = ErrorOf<Common | WithPath>;
/** Read the limits of an account: `GET /policy/{address}`. */
export function getNanoPaymentPolicy(client: Client, input: GetNanoPaymentPolicyInput, options?: CallOptions): Call<GetNanoPaymentPolicyResult, GetNanoPaymentPolicyError> {
  return send(client, { id: 'getNanoPaymentPolicy', method: 'GET', path: '/policy/{address}', errors: `${common} ${withPath}` }, input, options);
}

export type CancelNanoPaymentInput = schemas.CancellationRequest;
export type CancelNanoPaymentResult = schemas.Cancellation;
export type CancelNanoPaymentError = ErrorOf<Common | WithBody | WithKey | 'CONFLICT'>;
/** Cancel a payment or session grant: `POST /cancel`.
 * Signed by the owner. The nonce will never be charged again, and its held amounts are released. A charged payment cannot be cancelled; cancelling a grant stops later payments only. The call is idempotent. */
export function cancelNanoPayment(client: Client, input: CancelNanoPaymentInput, options?: CallOptions): Call<CancelNanoPaymentResult, CancelNanoPaymentError> {
  return send(client, { id: 'cancelNanoPayment', method: 'POST', path: '/cancel', errors: `${common} ${withBody} ${withKey} CONFLICT` }, input, options);
}

export interface GetNanoPaymentReceiptInput {
  /** Id of the payment */
  id: string;
}
export type GetNanoPaymentReceiptResult = schemas.NanoPayment;
export type GetNanoPaymentReceiptError = ErrorOf<Common | WithPath | 'NOT_FOUND'>;
/** Read a payment and its signed receipts: `GET /receipts/{id}`. */
export function getNanoPaymentReceipt(client: Client, input: GetNanoPaymentReceiptInput, options?: CallOptions): Call<GetNanoPaymentReceiptResult, GetNanoPaymentReceiptError> {
  return send(client, { id: 'getNanoPaymentReceipt', method: 'GET', path: '/receipts/{id}', errors: `${common} ${withPath} NOT_FOUND` }, input, options);
}

export type WithdrawNanoPaymentBalanceInput = schemas.WithdrawalRequest;
export type WithdrawNanoPaymentBalanceResult = schemas.Withdrawal;
export type WithdrawNanoPaymentBalanceError = ErrorOf<Common | WithBody | WithKey | 'CONFLICT' | 'INSUFFICIENT_BALANCE'>;
/** Withdraw from a balance to an account on the chain: `POST /withdraw`.
 * Signed by the owner; the same signature returns the same withdrawal. Sellers' earnings are paid out automatically. */
export function withdrawNanoPaymentBalance(client: Client, input: WithdrawNanoPaymentBalanceInput, options?: CallOptions): Call<WithdrawNanoPaymentBalanceResult, WithdrawNanoPaymentBalanceError> {
  return send(client, { id: 'withdrawNanoPaymentBalance', method: 'POST', path: '/withdraw', errors: `${common} ${withBody} ${withKey} CONFLICT INSUFFICIENT_BALANCE` }, input, options);
}

export interface ListNanoPaymentWithdrawalsInput {
  /** Largest number of items on a page; a value above 100 means 100 */
  limit?: number;
  /** `next_cursor` of the previous page, unchanged */
  cursor?: string;
}
export type ListNanoPaymentWithdrawalsResult = schemas.WithdrawalsReply;
export type ListNanoPaymentWithdrawalsError = ErrorOf<Common | WithKey>;
/** List the withdrawals and payouts of your account: `GET /withdraw`.
 * Withdrawals from the balance and automatic payouts of earnings, for the TON wallet of the API key or session. Returns 403 for a wallet of another chain.
 * **Needs** the secret of an API key with the permission `read`, or the wallet in `x-wallet`. */
export function listNanoPaymentWithdrawals(client: Client, input?: ListNanoPaymentWithdrawalsInput, options?: CallOptions): ListCall<ListNanoPaymentWithdrawalsResult, schemas.Withdrawal, ListNanoPaymentWithdrawalsError> {
  return list(client, { id: 'listNanoPaymentWithdrawals', method: 'GET', path: '/withdraw', errors: `${common} ${withKey}`, takesWallet: true, list: {"items":"withdrawals"} }, input, options);
}

export interface GetNanoPaymentWithdrawalInput {
  /** Id of the payment */
  id: string;
}
export type GetNanoPaymentWithdrawalResult = schemas.Withdrawal;
export type GetNanoPaymentWithdrawalError = ErrorOf<Common | WithPath | 'NOT_FOUND'>;
/** Read the status of a withdrawal: `GET /withdraw/{id}`. */
export function getNanoPaymentWithdrawal(client: Client, input: GetNanoPaymentWithdrawalInput, options?: CallOptions): Call<GetNanoPaymentWithdrawalResult, GetNanoPaymentWithdrawalError> {
  return send(client, { id: 'getNanoPaymentWithdrawal', method: 'GET', path: '/withdraw/{id}', errors: `${common} ${withPath} NOT_FOUND` }, input, options);
}

export interface ListNanoPaymentApprovalsInput {
  /** Only approvals with this status */
  status?: 'pending' | 'approved' | 'rejected' | 'used' | 'expired';
  /** Only approvals of this payer */
  address?: string;
  /** Largest number of items on a page; a value above 100 means 100 */
  limit?: number;
}
export type ListNanoPaymentApprovalsResult = schemas.ApprovalsReply;
export type ListNanoPaymentApprovalsError = ErrorOf<Common>;
/** List payments that wait for approval, and past decisions: `GET /approvals`. */
export function listNanoPaymentApprovals(client: Client, input?: ListNanoPaymentApprovalsInput, options?: CallOptions): Call<ListNanoPaymentApprovalsResult, ListNanoPaymentApprovalsError> {
  return send(client, { id: 'listNanoPaymentApprovals', method: 'GET', path: '/approvals', errors: `${common}` }, input, options);
}

export type ApproveNanoPaymentInput = schemas.ApprovalDecisionRequest & {
  /** Id of the approval */
  id: string;
};
export type ApproveNanoPaymentResult = schemas.Approval;
export type ApproveNanoPaymentError = ErrorOf<Common | WithBody | WithPath | WithKey | 'NOT_FOUND' | 'CONFLICT'>;
/** Approve a payment above the limit of its payer: `POST /approvals/{id}/approve`.
 * The buyer repeats the request within ten minutes, and it succeeds once. */
export function approveNanoPayment(client: Client, input: ApproveNanoPaymentInput, options?: CallOptions): Call<ApproveNanoPaymentResult, ApproveNanoPaymentError> {
  return send(client, { id: 'approveNanoPayment', method: 'POST', path: '/approvals/{id}/approve', errors: `${common} ${withBody} ${withPath} ${withKey} NOT_FOUND CONFLICT` }, input, options);
}

export type RejectNanoPaymentInput = schemas.ApprovalDecisionRequest & {
  /** Id of the approval */
  id: string;
};
export type RejectNanoPaymentResult = schemas.Approval;
export type RejectNanoPaymentError = ErrorOf<Common | WithBody | WithPath | WithKey | 'NOT_FOUND' | 'CONFLICT'>;
/** Reject a payment above the limit of its payer: `POST /approvals/{id}/reject`.
 * The buyer's requests are rejected until the approval expires, five minutes after it was requested. */
export function rejectNanoPayment(client: Client, input: RejectNanoPaymentInput, options?: CallOptions): Call<RejectNanoPaymentResult, RejectNanoPaymentError> {
  return send(client, { id: 'rejectNanoPayment', method: 'POST', path: '/approvals/{id}/reject', errors: `${common} ${withBody} ${withPath} ${withKey} NOT_FOUND CONFLICT` }, input, options);
}

export interface GetAttestationInput {
  /** Nonce of the client, at most 64 bytes in hexadecimal: proves that the reply is fresh */
  nonce?: string;
}
export type GetAttestationResult = schemas.AttestationReply;
export type GetAttestationError = ErrorOf<Common>;
/** Read the attestation of the payment ledger: `GET /attestation`.
 * Send a nonce of your own: without one, a client cannot distinguish a document cached for up to a minute from a new one. */
export function getAttestation(client: Client, input?: GetAttestationInput, options?: CallOptions): Call<GetAttestationResult, GetAttestationError> {
  return send(client, { id: 'getAttestation', method: 'GET', path: '/attestation', errors: `${common}` }, input, options);
}

export type VerifyNanoPaymentInput = schemas.NanoVerifyRequest;
export type VerifyNanoPaymentResult = schemas.NanoVerifyReply;
export type VerifyNanoPaymentError = ErrorOf<Common | WithBody>;
/** Charge or check a payment authorization: `POST /verify`.
 * Sent as fields, the payment is charged immediately unless `mode` is `check`. Sent in x402 form, its amount is held until `/settle`, at most one minute. Every evaluated request returns 200. 503 means that the outcome is not known yet: repeat the same body with the same Idempotency-Key. */
export function verifyNanoPayment(client: Client, input?: VerifyNanoPaymentInput, options?: CallOptions): Call<VerifyNanoPaymentResult, VerifyNanoPaymentError> {
  return send(client, { id: 'verifyNanoPayment', method: 'POST', path: '/verify', errors: `${common} ${withBody}` }, input, options);
}

export type SettleNanoPaymentInput = schemas.SettleRequest;
export type SettleNanoPaymentResult = schemas.SettleReply;
export type SettleNanoPaymentError = ErrorOf<Common | WithBody>;
/** Charge an authorized payment, as an x402 facilitator: `POST /settle`.
 * Charges the amount that `/verify` put on hold, or charges directly. Idempotent under the same Idempotency-Key; otherwise an authorization settles once. Payments of the schemes `exact`, `upto` and `batch-settlement` are settled on their chain: `settlement_pending` means that the transaction was sent and its outcome is not known yet; repeat the same body. */
export function settleNanoPayment(client: Client, input: SettleNanoPaymentInput, options?: CallOptions): Call<SettleNanoPaymentResult, SettleNanoPaymentError> {
  return send(client, { id: 'settleNanoPayment', method: 'POST', path: '/settle', errors: `${common} ${withBody}`, timeoutMs: 45000 }, input, options);
}

export type ListSupportedPaymentsResult = schemas.SupportedReply;
export type ListSupportedPaymentsError = ErrorOf<Common>;
/** List the supported payment kinds, as an x402 facilitator: `GET /supported`. */
export function listSupportedPayments(client: Client, options?: CallOptions): Call<ListSupportedPaymentsResult, ListSupportedPaymentsError> {
  return send(client, { id: 'listSupportedPayments', method: 'GET', path: '/supported', errors: `${common}` }, {}, options);
}

export type GetSandboxResult = schemas.SandboxReply;
export type GetSandboxError = ErrorOf<Common>;
/** Describe the local deployment: chains, contracts, funded accounts: `GET /sandbox`.
 * In the sandbox only.
 * Exists in the sandbox environment only. */
export function getSandbox(client: Client, options?: CallOptions): Call<GetSandboxResult, GetSandboxError> {
  return send(client, { id: 'getSandbox', method: 'GET', path: '/sandbox', errors: `${common}` }, {}, options);
}

export type SimulateSwapDepositInput = schemas.LedgerDepositRequest;
export type SimulateSwapDepositResult = schemas.LedgerDepositReply;
export type SimulateSwapDepositError = ErrorOf<Common | WithBody | 'NOT_FOUND' | 'CONFLICT'>;
/** Simulate a payer's transfer on a chain without a local node: `POST /sandbox/deposit`.
 * In the sandbox only.
 * Exists in the sandbox environment only. For deposits on local chains, send a real transfer instead. */
export function simulateSwapDeposit(client: Client, input: SimulateSwapDepositInput, options?: CallOptions): Call<SimulateSwapDepositResult, SimulateSwapDepositError> {
  return send(client, { id: 'simulateSwapDeposit', method: 'POST', path: '/sandbox/deposit', errors: `${common} ${withBody} NOT_FOUND CONFLICT` }, input, options);
}

export type SetTokenPriceInput = schemas.SetPriceRequest;
export type SetTokenPriceResult = schemas.SetPriceReply;
export type SetTokenPriceError = ErrorOf<Common | WithBody | 'NOT_FOUND'>;
/** Set the price of a token at all price sources: `POST /sandbox/prices`.
 * In the sandbox only.
 * Exists in the sandbox environment only. */
export function setTokenPrice(client: Client, input: SetTokenPriceInput, options?: CallOptions): Call<SetTokenPriceResult, SetTokenPriceError> {
  return send(client, { id: 'setTokenPrice', method: 'POST', path: '/sandbox/prices', errors: `${common} ${withBody} NOT_FOUND` }, input, options);
}

export type ExpireSwapDeadlineInput = schemas.PassDeadlineRequest;
export type ExpireSwapDeadlineResult = schemas.PassDeadlineReply;
export type ExpireSwapDeadlineError = ErrorOf<Common | WithBody | 'NOT_FOUND'>;
/** Expire the deadline of a committed cross-chain quote: `POST /sandbox/oneclick/deadline`.
 * In the sandbox only.
 * Exists in the sandbox environment only. An insufficient deposit is refunded immediately. */
export function expireSwapDeadline(client: Client, input: ExpireSwapDeadlineInput, options?: CallOptions): Call<ExpireSwapDeadlineResult, ExpireSwapDeadlineError> {
  return send(client, { id: 'expireSwapDeadline', method: 'POST', path: '/sandbox/oneclick/deadline', errors: `${common} ${withBody} NOT_FOUND` }, input, options);
}

export type SetProviderOutageInput = schemas.SetOutageRequest;
export type SetProviderOutageResult = schemas.SetOutageReply;
export type SetProviderOutageError = ErrorOf<Common | WithBody>;
/** Make a provider fail or hang: `POST /sandbox/oneclick/outage`.
 * In the sandbox only.
 * Exists in the sandbox environment only. A restart resets the provider to `up`. */
export function setProviderOutage(client: Client, input: SetProviderOutageInput, options?: CallOptions): Call<SetProviderOutageResult, SetProviderOutageError> {
  return send(client, { id: 'setProviderOutage', method: 'POST', path: '/sandbox/oneclick/outage', errors: `${common} ${withBody}` }, input, options);
}

export type FundTonAccountInput = schemas.TonFaucetRequest;
export type FundTonAccountResult = schemas.TonFaucetReply;
export type FundTonAccountError = ErrorOf<Common | WithBody>;
/** Fund an account of the local TON network with coins and USDT: `POST /sandbox/ton/faucet`.
 * In the sandbox only.
 * Exists in the sandbox environment only. */
export function fundTonAccount(client: Client, input: FundTonAccountInput, options?: CallOptions): Call<FundTonAccountResult, FundTonAccountError> {
  return send(client, { id: 'fundTonAccount', method: 'POST', path: '/sandbox/ton/faucet', errors: `${common} ${withBody}` }, input, options);
}

export type SimulateNanoPaymentDepositInput = schemas.NanopayDepositRequest;
export type SimulateNanoPaymentDepositResult = schemas.NanopayDepositReply;
export type SimulateNanoPaymentDepositError = ErrorOf<Common | WithBody>;
/** Simulate a USDT deposit for nano-payments: `POST /sandbox/nanopay/deposit`.
 * In the sandbox only.
 * Exists in the sandbox environment only. The service mints the jettons, and notifies the deposit account as a transfer would. */
export function simulateNanoPaymentDeposit(client: Client, input: SimulateNanoPaymentDepositInput, options?: CallOptions): Call<SimulateNanoPaymentDepositResult, SimulateNanoPaymentDepositError> {
  return send(client, { id: 'simulateNanoPaymentDeposit', method: 'POST', path: '/sandbox/nanopay/deposit', errors: `${common} ${withBody}` }, input, options);
}

export type GetSandboxClockResult = schemas.SandboxClockReply;
export type GetSandboxClockError = ErrorOf<Common>;
/** Read the time of the sandbox: `GET /sandbox/clock`.
 * In the sandbox only.
 * Exists in the sandbox environment only. */
export function getSandboxClock(client: Client, options?: CallOptions): Call<GetSandboxClockResult, GetSandboxClockError> {
  return send(client, { id: 'getSandboxClock', method: 'GET', path: '/sandbox/clock', errors: `${common}` }, {}, options);
}

export type AdvanceSandboxClockInput = schemas.AdvanceClockRequest;
export type AdvanceSandboxClockResult = schemas.SandboxClockReply;
export type AdvanceSandboxClockError = ErrorOf<Common | WithBody>;
/** Advance the time of the sandbox: `POST /sandbox/clock`.
 * In the sandbox only.
 * Orders and quotes expire, retries and provider polls become due, and all local chains get blocks up to the new time. The time goes forward only: `npm start -- --fresh` begins again. Nano-payments and the signatures of webhooks keep the real time. What a wallet or an x402 client signs with its own time is too old then. Exists in the sandbox environment only. */
export function advanceSandboxClock(client: Client, input: AdvanceSandboxClockInput, options?: CallOptions): Call<AdvanceSandboxClockResult, AdvanceSandboxClockError> {
  return send(client, { id: 'advanceSandboxClock', method: 'POST', path: '/sandbox/clock', errors: `${common} ${withBody}` }, input, options);
}

export interface FollowOrderInput {
  /** Id of the order */
  id: string;
}
export type FollowOrderMessage = StreamMessage<'order', schemas.OrderReply>;
export type FollowOrderError = ErrorOf<Common | WithPath | 'NOT_FOUND'>;
/** Follow an order, from the present state to the final one: `GET /api/v1/pay/order/{id}/events`.
 * Leave the loop to close the stream. Lost connections are opened again. Throws a `FollowOrderError`. */
export function followOrder(client: Client, input: FollowOrderInput, options?: StreamOptions): AsyncGenerator<FollowOrderMessage, void, undefined> {
  return eventStream(client, { id: 'followOrder', method: 'GET', path: '/api/v1/pay/order/{id}/events', errors: `${common} ${withPath} NOT_FOUND`, events: ["order"] }, input, options);
}

export interface FollowPaymentInput {
  /** Id of the payment, or of the payment request */
  id: string;
}
export type FollowPaymentMessage = StreamMessage<'payment', schemas.FollowedPayment>;
export type FollowPaymentError = ErrorOf<Common | WithPath | 'NOT_FOUND'>;
/** Follow a payment, from the present state to the final one: `GET /api/v1/payment/{id}/events`.
 * Leave the loop to close the stream. Lost connections are opened again. Throws a `FollowPaymentError`. */
export function followPayment(client: Client, input: FollowPaymentInput, options?: StreamOptions): AsyncGenerator<FollowPaymentMessage, void, undefined> {
  return eventStream(client, { id: 'followPayment', method: 'GET', path: '/api/v1/payment/{id}/events', errors: `${common} ${withPath} NOT_FOUND`, events: ["payment"] }, input, options);
}

export interface FollowTransactionInput {
  /** `transactionId` of the build reply */
  transactionId: string;
}
export type FollowTransactionError = ErrorOf<'MALFORMED_JSON' | 'VALIDATION_ERROR' | 'NOT_FOUND' | 'TOO_MANY_SUBSCRIPTIONS' | 'SERVICE_UNAVAILABLE'>;
/** Follow a transaction set, from the present state to the final one: WebSocket `/v1/transaction/stream`.
 * Leave the loop to close the socket. After a lost connection it is opened again, and states that were returned are left out. Throws a `FollowTransactionError`. */
export function followTransaction(client: Client, input: FollowTransactionInput, options?: SocketOptions): AsyncGenerator<schemas.TransactionUpdate, void, undefined> {
  return socketStream(client, { id: 'followTransaction', path: '/v1/transaction/stream', errors: { MALFORMED_JSON: 400, VALIDATION_ERROR: 400, NOT_FOUND: 404, TOO_MANY_SUBSCRIPTIONS: 429, SERVICE_UNAVAILABLE: 503 }, update: 'transaction_update', final: ['completed', 'failed', 'expired'] }, input, options);
}
