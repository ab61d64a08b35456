export {
  closeRecordInstruction,
  createTokenAccountInstruction,
  decodePayment,
  payInstruction,
  type AccountMeta,
  type DecodedPayment,
  type Instruction,
  type PaymentTokens,
} from './instructions';
export {
  addressFromBytes,
  addressToBytes,
  NATIVE_COIN,
  SPL_TOKEN_PROGRAM,
  SYSTEM_PROGRAM,
  TOKEN_2022_PROGRAM,
} from './keys';
export { compileMessage, MAX_TRANSACTION_BYTES, signTransaction, unsignedTransaction } from './message';
export {
  decodeOrder,
  encodeOrder,
  hashOrder,
  MAX_TOKEN_NAME_BYTES,
  recordAddress,
  type SolanaPaymentOrder,
} from './order';
export { tokenAccountAddress } from './program-address';
export { CLOSABLE_AFTER_SECONDS, decodeRecord, RECORD_BYTES, type PaymentRecord } from './record';
export { solanaPayCode, solanaPayCodeHash, solanaPayErrors } from '../generated/solana-pay';
