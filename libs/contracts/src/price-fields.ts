import { DomainError, type FieldOptions, type Undescribed } from '@tollbridge/rpc';
import { Decimal, Integer, Nested, Text, Timestamp } from './decorators';

/** ISO 4217 code of a currency. */
export const CurrencyCode = (description: string, options: Partial<Undescribed<FieldOptions>> = {}) =>
  Text(description, {
    minLength: 3,
    maxLength: 3,
    pattern: /^[A-Z]{3}$/,
    patternMessage: 'must be a currency code of ISO 4217, such as EUR',
    example: 'EUR',
    ...options,
  });

/** A price in a currency of ISO 4217. */
export class Price {
  static readonly example = { amount: '49.90', currency: 'EUR' };
  @Text('Amount in major units of the currency, with at most its digits: 2 for EUR, 0 for JPY, 3 for KWD', {
    maxLength: 20,
    pattern: /^(0|[1-9][0-9]{0,14})(\.[0-9]{1,4})?$/,
    patternMessage: 'must be a decimal as text, such as 49.90',
    example: '49.90',
  })
  amount: string;
  @CurrencyCode('Currency, an ISO 4217 code') currency: string;
}

/** The exchange rate of a conversion from a currency to a token. */
export class ExchangeRate {
  static readonly example = {
    pair: 'USDC/EUR',
    value: '0.92145',
    source: 'defillama, ecb',
    time: '2026-11-20T12:00:00.000Z',
    spread_bps: 0,
  };
  @Text('Token and currency', { maxLength: 32, example: 'USDC/EUR' }) pair: string;
  @Decimal('Units of the currency for one whole token', { example: '0.92145' }) value: string;
  @Text('Sources of the token price and of the currency rate', { example: 'defillama, ecb' }) source: string;
  @Timestamp('Time of the older of the two readings') time: string;
  @Integer('Spread of the merchant that the amount includes, in basis points', {
    min: 0,
    max: 10_000,
    example: 0,
  })
  spread_bps: number;
}

/** A price of a reply. It is absent in objects with an amount of a token. */
export const PriceOf = (description: string) => Nested(() => Price, description, { optional: true });

/** The rate of a reply. It is absent in objects without a price. */
export const RateOf = (description: string) => Nested(() => ExchangeRate, description, { optional: true });

/** A price, and the rate that its amount was converted at. */
export interface Conversion {
  price: Price;
  rate: ExchangeRate;
}

// Token prices are read every minute.
const retryAfterSeconds = 60;

/** The errors of a price that cannot be converted. */
export const conversionErrors = {
  /** @param reason why the rate of the pair is missing, as in `details` of the error */
  unavailable: (pair: string, reason: string): DomainError =>
    new DomainError('RATE_UNAVAILABLE', undefined, { details: { reason, pair }, retryAfterSeconds }),
  invalid: (message: string): DomainError => DomainError.invalid([{ field: 'price', message }]),
};
