/**
 * Access to TON: account reads, jetton deposits, and batch payouts from a Highload wallet v3.
 *
 * Addresses are raw (`0:` and 64 lower-case hex digits); `rawAddressOf` parses other notations. Amounts are `bigint` in
 * the smallest unit: nanotons (9 decimals) for coins, and the decimals of the master for jettons (USDT: 6). Malformed
 * replies throw `ProviderError` of `@tollbridge/http`. TON packages are loaded on first use.
 */
export {
  TonAccountReader,
  transactionOf,
  type AccountTransaction,
  type AccountTransactions,
} from './account-reader';
export { isRawAddress, rawAddressOf } from './addresses';
export { readDeposits, type Deposits } from './deposit-reader';
export {
  depositByNotification,
  depositInWallet,
  isExecuted,
  type Deposit,
  type DepositAccount,
  type DepositVerdict,
  type NoDepositReason,
  type ReturnedTransfer,
} from './deposits';
export { addressAt, numberAt, type GetMethodResult, type StackArgument } from './get-method-stack';
export { batchHash, batchHashOf } from './highload-batch-hash';
export { countOfQueryId, isQueryId, queryIdAt, queryIdCount, reservedQueryId } from './highload-query-id';
export {
  batchOutcome,
  buildHighloadMessage,
  highloadAddress,
  highloadStateInit,
  isProcessed,
  jettonBatchNano,
  jettonPayment,
  jettonPaymentsFor,
  mostPaymentsInBatch,
  type BatchOutcome,
  type HighloadBatch,
  type HighloadMessage,
  type HighloadPayment,
  type HighloadWallet,
  type SignHash,
} from './highload-wallet';
export {
  ForeignJettonWallet,
  jettonOps,
  jettonTransferBody,
  jettonTransferNano,
  jettonWalletAddressOf,
  jettonWalletOf,
  type JettonTransfer,
  type JettonWallet,
} from './jettons';
export { sandboxEnclaveWallet, sandboxKey, type SandboxKey } from './sandbox-wallets';
export type { ToncenterOptions } from './toncenter';
export { signingKeyOf, type WalletKey } from './wallet-key';
