import { DomainError } from '@tollbridge/rpc';
import { ProviderError, type ProviderErrorKind } from '@tollbridge/http';
import { isDuplicateReference, purchaseFailure } from './reloadly.errors';

const failure = (kind: ProviderErrorKind, errorCode?: string, status = 400) =>
  new ProviderError('reloadly', { kind, message: 'm', status, body: { errorCode, message: 'their words' } });

describe('purchaseFailure', () => {
  it.each([
    ['TEMPORARY_OUT_OF_STOCK', 'OUT_OF_STOCK'],
    ['INSUFFICIENT_BALANCE', 'SERVICE_BALANCE_TOO_LOW'],
    ['INSUFFICIENT_WALLET_BALANCE', 'SERVICE_BALANCE_TOO_LOW'],
    ['PRODUCT_NOT_FOUND', 'NOT_SOLD'],
    ['WRONG_PRODUCT_PRICE', 'AMOUNT_NOT_TAKEN'],
    ['INVALID_RECIPIENT_PHONE', 'INVALID_PHONE'],
    ['OPERATOR_AND_RECIPIENT_PHONE_MISMATCH', 'OTHER_OPERATOR'],
    ['PHONE_RECENTLY_RECHARGED', 'TOO_SOON'],
    ['MAX_DAILY_TRANSACTION_AMOUNT_REACHED', 'DAILY_LIMIT'],
    ['A_NEW_ONE', 'REFUSED'],
    ['constructor', 'REFUSED'],
  ])('converts %s to %s, without the text of the provider', (errorCode, reason) => {
    const converted = purchaseFailure(failure('rejected', errorCode)) as DomainError;
    expect(converted).toMatchObject({ code: 'PURCHASE_REFUSED', details: { reason } });
    expect(converted.message).not.toContain('their words');
  });

  it.each(['CUSTOM_IDENTIFIER_ALREADY_USED', 'REFERENCE_ID_ALREADY_USED'])(
    'converts the duplicate %s to an unknown outcome',
    (errorCode) => {
      const error = failure('rejected', errorCode);
      expect(isDuplicateReference(error)).toBe(true);
      expect(purchaseFailure(error)).toMatchObject({ kind: 'unknownOutcome' });
    },
  );

  it.each<[ProviderErrorKind, string | undefined, number]>([
    ['rejected', 'TRANSACTION_CANNOT_BE_PROCESSED_AT_THE_MOMENT', 400],
    ['unknownOutcome', 'TRANSACTION_CANNOT_BE_PROCESSED_AT_THE_MOMENT', 500],
    ['unknownOutcome', 'TEMPORARY_OUT_OF_STOCK', 500],
    ['unknownOutcome', undefined, 502],
  ])('leaves the outcome of %s %s %s unknown', (kind, errorCode, status) => {
    expect(purchaseFailure(failure(kind, errorCode, status))).toMatchObject({ kind: 'unknownOutcome' });
  });

  it('does not convert other failures', () => {
    const error = failure('unavailable');
    expect(purchaseFailure(error)).toBe(error);
    expect([isDuplicateReference(error), isDuplicateReference(new Error('x'))]).toEqual([false, false]);
    const other = new TypeError('a bug');
    expect(purchaseFailure(other)).toBe(other);
  });
});
