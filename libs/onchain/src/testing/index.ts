export { aSuiOrder } from './sui-order.builder';
export { aTronOrder, tronFeeReceiver, tronMerchant, tronPayer, tronUsdt } from './tron-order.builder';
