export { openTronAdapter, openTronReader, tronNodes, type WarningLog } from './open';
export { TronPaymentAdapter } from './payments/tron-payment.adapter';
export { TronTransferReader } from './payments/tron-transfer-reader';
export { TronNode, type TronNodeOptions } from './tron-node';
