export {
  chooseSuiCoins,
  encodeSuiPayment,
  encodeSuiPublish,
  encodeSuiReclaim,
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
