export type { AddressResult } from './format';
export { canonicalAddress, canonicalPayer } from './canonical';
export { feeAccountOf } from './fee-account';
export { type Destination, destinationOf, memoProblem } from './memo';
export { sampleAddress } from './sample-address';
export { canonicalTxHash, isTxHash, txHashShape } from './tx-hash';
export { unusedAddress } from './unused-address';
export { isZeroAddress, zeroAddressOf } from './zero-address';
