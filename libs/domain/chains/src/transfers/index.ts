export { paymentUri, type TransferTerms } from './payment-uri';
export { idNamedAtEnd, transferReference } from './transfer-reference';
