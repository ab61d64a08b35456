export { aReceivedTransfer, minedTransfers } from './mined-transfers.builder';
