export type { AddressResult } from './format';
export { canonicalAddress, canonicalPayer } from './canonical';
