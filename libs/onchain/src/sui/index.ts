export { BcsReader, BcsWriter, suiAddress } from './bcs';
export { canonicalMoveType, moveTypeName, parseMoveType, readMoveType } from './move-type';
export {
  chooseSuiCoins,
  encodeSuiPayment,
  encodeSuiPublish,
  encodeSuiReclaim,
  encodeSuiTransfer,
  publishedSuiModule,
  type SuiCoin,
  type SuiObjectRef,
} from './sui-calls';
export {
  decodeSuiOrderPaid,
  encodeSuiOrderPaid,
  hashSuiOrder,
  suiCreatedObjectId,
  suiOrderPaidType,
  suiPayAborts,
  suiRecordId,
  type SuiPayContract,
  type SuiPayment,
} from './sui-order';
export { encodeSuiTransaction, SuiSigner, suiTransactionDigest, type SuiGas } from './sui-transaction';
