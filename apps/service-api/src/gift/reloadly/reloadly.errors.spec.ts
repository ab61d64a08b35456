import { DomainError } from '@tollbridge/rpc';
import { ProviderError, type ProviderErrorKind } from '@tollbridge/http';
import { isKnownThere, purchaseFailure, readFailure } from './reloadly.errors';

const failure = (kind: ProviderErrorKind, errorCode?: string, status = 400) =>
  new ProviderError('reloadly', { kind, message: 'm', status, body: { errorCode, message: 'their words' } });

describe('a failed purchase', () => {
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
  ])('%s is told as %s, in our words', (errorCode, reason) => {
    const told = purchaseFailure(failure('rejected', errorCode)) as DomainError;
    expect(told).toMatchObject({ code: 'PURCHASE_REFUSED', details: { reason } });
    expect(told.message).not.toContain('their words');
  });

  it.each(['CUSTOM_IDENTIFIER_ALREADY_USED', 'REFERENCE_ID_ALREADY_USED'])(
    '%s says that it was made: what became of it is unknown',
    (errorCode) => {
      const error = failure('rejected', errorCode);
      expect(isKnownThere(error)).toBe(true);
      expect(purchaseFailure(error)).toMatchObject({ kind: 'unknownOutcome' });
    },
  );

  it.each<[ProviderErrorKind, string | undefined, number]>([
    ['rejected', 'TRANSACTION_CANNOT_BE_PROCESSED_AT_THE_MOMENT', 400],
    ['unknownOutcome', 'TRANSACTION_CANNOT_BE_PROCESSED_AT_THE_MOMENT', 500],
    ['unknownOutcome', 'TEMPORARY_OUT_OF_STOCK', 500],
    ['unknownOutcome', undefined, 502],
  ])('%s %s %s may have been bought', (kind, errorCode, status) => {
    expect(purchaseFailure(failure(kind, errorCode, status))).toMatchObject({ kind: 'unknownOutcome' });
  });

  it('that never reached the provider stays what it is', () => {
    const error = failure('unavailable');
    expect(purchaseFailure(error)).toBe(error);
    expect([isKnownThere(error), isKnownThere(new Error('x'))]).toEqual([false, false]);
    const other = new TypeError('ours');
    expect(purchaseFailure(other)).toBe(other);
  });
});

it('a failed look is 502, whatever went wrong there', () => {
  for (const kind of ['unavailable', 'rejected', 'rateLimited', 'badReply'] as const)
    expect(readFailure(failure(kind, 'X', 403))).toMatchObject({ code: 'UPSTREAM_UNAVAILABLE' });
  const ours = new DomainError('NOT_FOUND');
  expect(readFailure(ours)).toBe(ours);
});
