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
  memoProgram,
  nativeCoin,
  splTokenProgram,
  systemProgram,
  token2022Program,
} from './keys';
export {
  addressOfKey,
  compileMessage,
  maxTransactionBytes,
  messageOf,
  signAsFeePayer,
  signTransaction,
  unsignedTransaction,
} from './message';
export {
  decodeOrder,
  encodeOrder,
  hashOrder,
  maxTokenNameBytes,
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
export { closableAfterSeconds, decodeRecord, recordBytes, type PaymentRecord } from './record';
export { solanaPayCode, solanaPayCodeHash, solanaPayErrors } from '../generated/solana-pay';
