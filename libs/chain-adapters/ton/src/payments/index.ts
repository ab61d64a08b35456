/**
 * Direct payments on TON. They are separate from `@tollbridge/ton`, because nano-payments need neither the payment
 * contract nor the registry of chains.
 */
export { openTonAdapter, openTonReader } from './open-ton';
export { TonNode } from './ton-node';
export { parseNodeUrl, type NodeUrl } from './node-url';
export { TonPaymentAdapter } from './ton-payment.adapter';
export { TonTransferReader } from './ton-transfer-reader';
