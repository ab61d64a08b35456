export type {
  ChainAdapter,
  DirectOrder,
  PaidContract,
  PaymentInstructions,
  WantedTransfers,
} from './chain-adapter';
export { ChainAdapters } from './chain-adapters';
export type {
  BlockRef,
  Payment,
  PaymentFields,
  PaymentUpdate,
  ReceivedTransfer,
  ReportedTransaction,
  TransferRead,
} from './chain-events';
