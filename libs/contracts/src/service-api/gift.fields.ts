import { AmountNumber, Figure, FreeForm, OneOf, Text, type FieldOptions } from '@tollbridge/rpc';

/** Two letters of ISO 3166-1, in either case. */
export const CountryCode = (options: FieldOptions) =>
  Text({
    pattern: /^[A-Za-z]{2}$/,
    patternMessage: 'must be the two letters of a country, such as US',
    ...options,
  });

/** The buyer's own name for a purchase. */
export const CustomIdentifier = () =>
  Text({
    description:
      'Your own name for this purchase: under it one is made, however often you ask. Without it the Idempotency-Key tells purchases apart, and without that every call is a purchase',
    // What the longest names at providers have.
    maxLength: 150,
    pattern: /^[!-~]+$/,
    patternMessage: 'must hold visible ASCII characters only',
    optional: true,
    example: 'order-1042',
  });

// Above what any product, operator or biller takes; below what is exact with five digits after the point.
export const maxFaceAmount = 10_000_000;

/** What a card, a top-up or a bill is worth: providers debit with five digits after the point. */
export const FaceAmount = (options: FieldOptions) =>
  AmountNumber({ max: maxFaceAmount, maxDecimals: 5, ...options });

export const Currency = (description: string, options: Partial<FieldOptions> = {}) =>
  Text({ description, maxLength: 3, example: 'USD', ...options });

export const NullableFigure = (description: string, example: number | null) =>
  Figure({ description, nullable: true, example });

/** Fixed amounts, from which one is chosen. */
export const Figures = (description: string, example: number[]) =>
  FreeForm(
    { type: 'array', items: { type: 'number', minimum: 0 }, maxItems: 1_000 },
    { description, example },
  );

export const Addresses = (description: string) =>
  FreeForm(
    { type: 'array', items: { type: 'string' }, maxItems: 20 },
    { description, example: ['https://example.com/logo.png'] },
  );

export const denominationTypes = ['FIXED', 'RANGE'] as const;
export type DenominationType = (typeof denominationTypes)[number];

export const Denomination = () =>
  OneOf(denominationTypes, {
    description: '`FIXED`: one of a list of amounts; `RANGE`: anything from the least to the most',
    example: 'FIXED',
  });

/** Only what was taken is told: what was refused, or given back, is an error. */
export const purchaseStates = ['SUCCESSFUL', 'PENDING'] as const;
export type PurchaseOutcome = (typeof purchaseStates)[number];

export const Outcome = () =>
  OneOf(purchaseStates, {
    description:
      '`SUCCESSFUL` is delivered; `PENDING` is taken and not delivered yet: ask again with the same `customIdentifier`',
    example: 'SUCCESSFUL',
  });

export const PurchaseId = () =>
  Text({
    description: 'The purchase',
    format: 'uuid',
    example: '0198f3a2-7c5e-7d41-9a55-3f0e2c1b4a6d',
  });

export const ReferenceOut = () =>
  Text({
    description:
      'With this as `customIdentifier` the same call asks again for this purchase, and buys nothing',
    maxLength: 150,
    example: 'order-1042',
  });
