import { DomainError } from '@tollbridge/bus';
import { ProviderError } from '@tollbridge/providers';

/** The provider's codes for what it surely did not do: our reason, and our sentence. */
const refusals: Readonly<Record<string, readonly [reason: string, sentence: string]>> = {
  TEMPORARY_OUT_OF_STOCK: ['OUT_OF_STOCK', 'This is out of stock at present; nothing was bought.'],
  INSUFFICIENT_BALANCE: ['SERVICE_BALANCE_TOO_LOW', 'The service balance does not cover this.'],
  INSUFFICIENT_WALLET_BALANCE: ['SERVICE_BALANCE_TOO_LOW', 'The service balance does not cover this.'],
  INVALID_PRODUCT: ['NOT_SOLD', 'This product is not sold any more.'],
  PRODUCT_NOT_FOUND: ['NOT_SOLD', 'This product is not sold any more.'],
  OPERATOR_NOT_FOUND: ['NOT_SOLD', 'This operator is not served any more.'],
  INVALID_BILLER_ID: ['NOT_SOLD', 'This biller is not served any more.'],
  COUNTRY_NOT_SUPPORTED: ['NOT_SOLD', 'This country is not served any more.'],
  WRONG_PRODUCT_PRICE: ['AMOUNT_NOT_TAKEN', 'The amount is not taken for this product any more.'],
  PRICE_IS_NOT_PERMITTED: ['AMOUNT_NOT_TAKEN', 'The amount is not taken for this product any more.'],
  INVALID_AMOUNT: ['AMOUNT_NOT_TAKEN', 'The amount is not taken.'],
  INVALID_AMOUNT_FOR_OPERATOR: ['AMOUNT_NOT_TAKEN', 'The operator does not take this amount.'],
  INVALID_LOCAL_AMOUNT_FOR_OPERATOR: ['AMOUNT_NOT_TAKEN', 'The operator does not take this amount.'],
  LOCAL_AMOUNTS_NOT_SUPPORTED_BY_OPERATOR: ['AMOUNT_NOT_TAKEN', 'The operator takes no local amounts.'],
  MISSING_REQUIRED_AMOUNT_ID: ['AMOUNT_NOT_TAKEN', 'The biller does not take this amount.'],
  AMOUNT_ID_NOT_FOUND: ['AMOUNT_NOT_TAKEN', 'The biller does not take this amount any more.'],
  INVALID_RECIPIENT_PHONE: ['INVALID_PHONE', 'The phone number is not taken.'],
  OPERATOR_AND_RECIPIENT_PHONE_MISMATCH: ['OTHER_OPERATOR', 'The number is with another operator.'],
  PHONE_RECENTLY_RECHARGED: ['TOO_SOON', 'The phone was topped up a moment ago; wait for two minutes.'],
  RECIPIENT_HAS_PENDING_TRANSACTION: ['TOO_SOON', 'A top-up of this phone is under way; wait for it.'],
  OPERATOR_UNAVAILABLE_OR_CURRENTLY_INACTIVE: [
    'OPERATOR_UNAVAILABLE',
    'The operator takes nothing at present.',
  ],
  MAX_DAILY_TRANSACTION_COUNT_REACHED: ['DAILY_LIMIT', 'No more can be bought today.'],
  MAX_DAILY_TRANSACTION_AMOUNT_REACHED: ['DAILY_LIMIT', 'No more can be bought today.'],
  INACTIVE_ACCOUNT: ['SERVICE_CLOSED', 'Nothing can be bought at present.'],
};

// The status of these differs between the provider's environments, and none says whether something was bought.
const unsure = ['TRANSACTION_CANNOT_BE_PROCESSED_AT_THE_MOMENT', 'TOPUP_TRANSACTION_FAILED'];
const usedBefore = ['CUSTOM_IDENTIFIER_ALREADY_USED', 'REFERENCE_ID_ALREADY_USED'];

export function errorCodeOf(error: ProviderError): string | undefined {
  const code = (error.body as { errorCode?: unknown } | null | undefined)?.errorCode;
  return typeof code === 'string' ? code : undefined;
}

/** Whether it refuses since it has seen our reference, which is of this one purchase: so it was made. */
export const isKnownThere = (error: unknown): boolean =>
  error instanceof ProviderError && usedBefore.includes(errorCodeOf(error) ?? '');

/** A failed purchase, as `Purchases` understands it. */
export function purchaseFailure(error: unknown): unknown {
  if (!(error instanceof ProviderError)) return error;
  const code = errorCodeOf(error) ?? '';
  if (unsure.includes(code) || isKnownThere(error))
    return new ProviderError(error.provider, {
      ...{ kind: 'unknownOutcome', message: 'does not say whether it was bought' },
      ...(error.status !== undefined && { status: error.status }),
    });
  const refusal = Object.hasOwn(refusals, code) ? refusals[code] : undefined;
  // With a 5xx only this one says that nothing happened.
  const isDefinite = error.kind === 'rejected' || code === 'OPERATOR_UNAVAILABLE_OR_CURRENTLY_INACTIVE';
  if (refusal && isDefinite) return refused(...refusal, error);
  return error.kind === 'rejected' ? refused('REFUSED', 'The provider refused this.', error) : error;
}

export function refused(reason: string, sentence: string, cause?: unknown): DomainError {
  return new DomainError('PURCHASE_REFUSED', sentence, { details: { reason }, cause });
}

/** A failed look. */
export function readFailure(error: unknown): unknown {
  return error instanceof ProviderError
    ? new DomainError('UPSTREAM_UNAVAILABLE', undefined, { cause: error })
    : error;
}
