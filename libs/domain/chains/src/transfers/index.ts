export { paymentUri, type TransferTerms } from './payment-uri';
export { idNamedAtEnd, idNamedInMemo, transferReference } from './transfer-reference';
