export type {
  ChainAdapter,
  DepositTransfer,
  DirectOrder,
  PaidContract,
  PaymentInstructions,
  TransferReader,
} from './chain-adapter';
export { ChainAdapters } from './chain-adapters';
export type { BlockRef, Payment, PaymentFields, PaymentUpdate, ReportedTransaction } from './chain-events';
export {
  finalTransfers,
  gainIndex,
  maxOtherTransfers,
  ownValue,
  type MinedCoins,
  type MinedTransfers,
  type OtherTransfer,
  type ReceivedTransfer,
  type TransferRead,
  type WantedTransfers,
} from './transfers';
export type { TonMessage, TronTransaction, WalletCall } from './wallet-call';
