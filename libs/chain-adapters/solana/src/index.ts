export {
  openSolanaAdapter,
  openSolanaReader,
  type OpenedSolanaAdapter,
  type OpenedSolanaReader,
} from './open';
export { memoProgram } from '@tollbridge/onchain/solana';
export { paymentCall, paymentInstructions, toSolanaOrder } from './payments/payment-message';
export { SolanaPaymentAdapter } from './payments/solana-payment.adapter';
export { transfersTo } from './payments/transfers';
export { SolanaTransferReader } from './payments/solana-transfer-reader';
export { SolanaNode } from './solana-node';
export type { SolanaTransaction } from './solana-types';
