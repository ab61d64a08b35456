import { ProviderError } from '@tollbridge/http';
import { purchaseDeclined } from '../../gift-failures';

/** Our reason and message for each error code that proves that nothing was bought. */
const rejections: Readonly<Record<string, readonly [reason: string, message: string]>> = {
  TEMPORARY_OUT_OF_STOCK: ['OUT_OF_STOCK', 'The product is out of stock. Nothing was bought. Retry later.'],
  INSUFFICIENT_BALANCE: [
    'SERVICE_BALANCE_TOO_LOW',
    'The service balance is too low for this purchase. The operator of this deployment must top it up.',
  ],
  INSUFFICIENT_WALLET_BALANCE: [
    'SERVICE_BALANCE_TOO_LOW',
    'The service balance is too low for this purchase. The operator of this deployment must top it up.',
  ],
  INVALID_PRODUCT: ['NOT_SOLD', 'The product is no longer on sale. Choose another product.'],
  PRODUCT_NOT_FOUND: ['NOT_SOLD', 'The product is no longer on sale. Choose another product.'],
  OPERATOR_NOT_FOUND: ['NOT_SOLD', 'The operator is no longer supported. Choose another operator.'],
  INVALID_BILLER_ID: ['NOT_SOLD', 'The biller is no longer supported. Choose another biller.'],
  COUNTRY_NOT_SUPPORTED: ['NOT_SOLD', 'The country is no longer supported.'],
  WRONG_PRODUCT_PRICE: [
    'AMOUNT_NOT_TAKEN',
    'The product no longer accepts this amount. Read the product for its amounts.',
  ],
  PRICE_IS_NOT_PERMITTED: [
    'AMOUNT_NOT_TAKEN',
    'The product no longer accepts this amount. Read the product for its amounts.',
  ],
  INVALID_AMOUNT: ['AMOUNT_NOT_TAKEN', 'The provider does not accept this amount. Choose another amount.'],
  INVALID_AMOUNT_FOR_OPERATOR: [
    'AMOUNT_NOT_TAKEN',
    'The operator does not accept this amount. Read the operator for its amounts.',
  ],
  INVALID_LOCAL_AMOUNT_FOR_OPERATOR: [
    'AMOUNT_NOT_TAKEN',
    'The operator does not accept this amount. Read the operator for its amounts.',
  ],
  LOCAL_AMOUNTS_NOT_SUPPORTED_BY_OPERATOR: [
    'AMOUNT_NOT_TAKEN',
    'The operator accepts no local amounts. Leave useLocalAmount out.',
  ],
  MISSING_REQUIRED_AMOUNT_ID: [
    'AMOUNT_NOT_TAKEN',
    'The biller does not accept this amount. Read the biller for its amounts.',
  ],
  AMOUNT_ID_NOT_FOUND: [
    'AMOUNT_NOT_TAKEN',
    'The biller no longer accepts this amount. Read the biller for its amounts.',
  ],
  INVALID_RECIPIENT_PHONE: [
    'INVALID_PHONE',
    'The operator does not accept this phone number. Check the number.',
  ],
  OPERATOR_AND_RECIPIENT_PHONE_MISMATCH: [
    'OTHER_OPERATOR',
    'The phone number belongs to another operator. Detect the operator first.',
  ],
  PHONE_RECENTLY_RECHARGED: [
    'TOO_SOON',
    'This phone was topped up less than two minutes ago. Retry in two minutes.',
  ],
  RECIPIENT_HAS_PENDING_TRANSACTION: [
    'TOO_SOON',
    'A top-up of this phone is being processed. Wait for its result.',
  ],
  OPERATOR_UNAVAILABLE_OR_CURRENTLY_INACTIVE: [
    'OPERATOR_UNAVAILABLE',
    'The operator accepts no top-ups at present. Retry later.',
  ],
  MAX_DAILY_TRANSACTION_COUNT_REACHED: [
    'DAILY_LIMIT',
    'The daily limit of this deployment is reached. Retry tomorrow.',
  ],
  MAX_DAILY_TRANSACTION_AMOUNT_REACHED: [
    'DAILY_LIMIT',
    'The daily limit of this deployment is reached. Retry tomorrow.',
  ],
  INACTIVE_ACCOUNT: ['SERVICE_CLOSED', 'The provider accepts no purchases at present. Retry later.'],
};

// These codes do not show whether something was bought. Their status differs between the provider's environments.
const ambiguous = ['TRANSACTION_CANNOT_BE_PROCESSED_AT_THE_MOMENT', 'TOPUP_TRANSACTION_FAILED'];
const duplicateReference = ['CUSTOM_IDENTIFIER_ALREADY_USED', 'REFERENCE_ID_ALREADY_USED'];

export function errorCodeOf(error: ProviderError): string | undefined {
  const code = (error.body as { errorCode?: unknown } | null | undefined)?.errorCode;
  return typeof code === 'string' ? code : undefined;
}

/** Whether the provider already has a purchase with our reference. */
export const isDuplicateReference = (error: unknown): boolean =>
  error instanceof ProviderError && duplicateReference.includes(errorCodeOf(error) ?? '');

/** Converts a failed purchase for `Purchases`: a DomainError means that nothing was bought. */
export function purchaseFailure(error: unknown): unknown {
  if (!(error instanceof ProviderError)) return error;
  const code = errorCodeOf(error) ?? '';
  if (ambiguous.includes(code) || isDuplicateReference(error))
    return new ProviderError(error.provider, {
      kind: 'unknownOutcome',
      message: 'did not report whether the purchase was made',
      ...(error.status !== undefined && { status: error.status }),
    });
  const rejection = Object.hasOwn(rejections, code) ? rejections[code] : undefined;
  // With a 5xx status, only this code proves that nothing was bought.
  const isDefinite = error.kind === 'rejected' || code === 'OPERATOR_UNAVAILABLE_OR_CURRENTLY_INACTIVE';
  if (rejection && isDefinite) return purchaseDeclined(...rejection, error);
  return error.kind === 'rejected'
    ? purchaseDeclined('REFUSED', 'The provider declined the purchase.', error)
    : error;
}
