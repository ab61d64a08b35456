export { sandboxTronUsdtAbi, sandboxTronUsdtCreationCode } from '../generated/sandbox-tron-usdt';
export {
  evmToTronAddress,
  hexToTronAddress,
  tronZeroAddress,
  tronToEvmAddress,
  tronToHexAddress,
} from './address';
export { tronContractAddress } from './contract-address';
export { runTronDeployCommand } from './deploy/command';
export {
  decodeTronOrderPaid,
  hashTronOrder,
  tronPaymentCalls,
  tronPaymentOrder,
  tronTransfer,
  type TronLog,
  type TronOrder,
  type TronOrderPaid,
  type TronPaymentCalls,
  type TronTransferTerms,
} from './payment';
export { bytesField, decodeMessage, encodeMessage, numberField, type ProtobufMessage } from './protobuf';
export {
  decodeRawData,
  encodeRawData,
  refBlock,
  tronTxId,
  type TronBlockRef,
  type TronCall,
  type TronContract,
  type TronCreation,
  type TronRawData,
  type TronTransfer,
} from './raw-transaction';
export {
  exactJson,
  rawDataJson,
  unsignedTransaction,
  type ExactJson,
  type ExactJsonObject,
  type UnsignedTronTransaction,
} from './transaction-json';
