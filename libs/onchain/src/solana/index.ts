export { deploySolanaPay, type SolanaDeployment } from './deployment/deploy';
export {
  deploymentAddresses,
  readProgram,
  type AccountsByAddress,
  type ChainAccount,
  type DeployedProgram,
} from './deployment/deployment';
export { SolanaNode } from './deployment/json-rpc';
export { codeAddress } from './deployment/loader';
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
  MEMO_PROGRAM,
  NATIVE_COIN,
  SPL_TOKEN_PROGRAM,
  SYSTEM_PROGRAM,
  TOKEN_2022_PROGRAM,
} from './keys';
export {
  addressOfKey,
  compileMessage,
  MAX_TRANSACTION_BYTES,
  messageOf,
  signAsFeePayer,
  signTransaction,
  unsignedTransaction,
} from './message';
export {
  decodeOrder,
  encodeOrder,
  hashOrder,
  MAX_TOKEN_NAME_BYTES,
  recordAddress,
  type SolanaPaymentOrder,
} from './order';
export {
  coinTransferInstruction,
  memoInstruction,
  tokenTransferInstruction,
  type TokenTransfer,
} from './transfers';
export {
  MalformedTransaction,
  parseMessage,
  parseTransaction,
  type ParsedInstruction,
  type ParsedMessage,
  type ParsedTransaction,
} from './parse-transaction';
export { tokenAccountAddress } from './program-address';
export { CLOSABLE_AFTER_SECONDS, decodeRecord, RECORD_BYTES, type PaymentRecord } from './record';
export { solanaPayCode, solanaPayCodeHash, solanaPayErrors } from '../generated/solana-pay';
