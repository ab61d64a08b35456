export { paymentUri, type TransferTerms } from './payment-uri';
export { canCarryMemo, idNamedAtEnd, idNamedInMemo, transferReference } from './transfer-reference';
