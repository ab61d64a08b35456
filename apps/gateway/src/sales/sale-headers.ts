/** x402 version 2: the payment of a request. */
export const paymentHeader = 'payment-signature';
/** Given with a sold answer: reads what was bought. */
export const purchaseTokenHeader = 'purchase-token';
/** The scheme `Payment` of HTTP authentication: what was paid. */
export const paymentReceiptHeader = 'payment-receipt';
