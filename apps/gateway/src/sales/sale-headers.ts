/** x402 version 2: the payment of a request. */
export const paymentHeader = 'payment-signature';
/** Returned with a sold reply: the token to read the purchase. */
export const purchaseTokenHeader = 'purchase-token';
/** The scheme `Payment` of HTTP authentication: the receipt of the payment. */
export const paymentReceiptHeader = 'payment-receipt';
