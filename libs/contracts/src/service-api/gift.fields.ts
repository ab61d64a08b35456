import { type FieldOptions, type Undescribed } from '@tollbridge/rpc';
import { AmountNumber, Figure, FreeForm, OneOf, Text } from '../decorators';
import { idExample } from '../shared-fields';

type Options = Undescribed<FieldOptions>;

/** ISO 3166-1 alpha-2 country code, in upper or lower case. */
export const CountryCode = (description: string, options: Options = {}) =>
  Text(description, {
    pattern: /^[A-Za-z]{2}$/,
    patternMessage: 'must be a two-letter country code, such as US',
    ...options,
  });

/** The buyer's own reference for a purchase. */
export const CustomIdentifier = () =>
  Text(
    'Your own reference for this purchase: it makes one purchase, however often you repeat the call. Without it the Idempotency-Key identifies the purchase; without both, every call is a new purchase',
    {
      // The longest reference that the providers accept.
      maxLength: 150,
      pattern: /^[!-~]+$/,
      patternMessage: 'must contain visible ASCII characters only',
      optional: true,
      example: 'order-1042',
    },
  );

// Above the price of any product, operator or biller, and below the limit of exact numbers with five decimals.
export const maxFaceAmount = 10_000_000;

/** Value of a card, top-up or bill. Providers debit with five decimals. */
export const FaceAmount = (description: string, options: Options = {}) =>
  AmountNumber(description, { max: maxFaceAmount, maxDecimals: 5, ...options });

export const Currency = (description: string, options: Options = {}) =>
  Text(description, { maxLength: 3, example: 'USD', ...options });

export const NullableFigure = (description: string, example: number | null) =>
  Figure(description, { nullable: true, example });

/** Fixed amounts to choose from. */
export const Figures = (description: string, example: number[]) =>
  FreeForm({ type: 'array', items: { type: 'number', minimum: 0 }, maxItems: 1_000 }, description, {
    example,
  });

export const Addresses = (description: string) =>
  FreeForm({ type: 'array', items: { type: 'string' }, maxItems: 20 }, description, {
    example: ['https://example.com/logo.png'],
  });

export const denominationTypes = ['FIXED', 'RANGE'] as const;
export type DenominationType = (typeof denominationTypes)[number];

export const Denomination = () =>
  OneOf(
    denominationTypes,
    '`FIXED`: one of a list of amounts; `RANGE`: any amount between the smallest and the largest',
    { example: 'FIXED' },
  );

/** Status of an accepted purchase. A declined or refunded purchase is an error instead. */
export const purchaseStates = ['SUCCESSFUL', 'PENDING'] as const;
export type PurchaseOutcome = (typeof purchaseStates)[number];

export const Outcome = () =>
  OneOf(
    purchaseStates,
    '`SUCCESSFUL`: delivered. `PENDING`: accepted, not delivered yet; repeat the call with the same `customIdentifier`',
    { example: 'SUCCESSFUL' },
  );

export const PurchaseId = () => Text('Id of the purchase', { format: 'uuid', example: idExample });

export const ReferenceOut = () =>
  Text('Pass this as `customIdentifier` to read this purchase again without a new purchase', {
    maxLength: 150,
    example: 'order-1042',
  });
