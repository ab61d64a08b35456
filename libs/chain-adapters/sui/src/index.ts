export { openSuiAdapter, openSuiReader, suiMainnet, suiRpcOf } from './open';
export { SuiPaymentAdapter } from './payments/sui-payment.adapter';
export { SuiTransferReader } from './payments/sui-transfer-reader';
export { SuiNode, type SuiNodeOptions } from './sui-node';
