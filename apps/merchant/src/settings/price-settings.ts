import { currencyDigits } from '@tollbridge/money';
import type { FieldError } from '@tollbridge/rpc';
import type { Settings } from './merchant-settings';

const maxSpreadBps = 1_000;

/** What payers pay above a price in a currency, in basis points: `priceSpreadBps`, by default 0. */
export function priceSpreadOf(settings: Settings): number {
  const value = own(settings, 'priceSpreadBps');
  return isBps(value, maxSpreadBps) ? value : 0;
}

/** The currency of statistics and lists: `defaultCurrency`, otherwise US dollars. */
export function currencyOf(settings: Settings): string {
  const value = own(settings, 'defaultCurrency');
  return typeof value === 'string' && currencyDigits(value) !== undefined ? value : 'USD';
}

/** Validates the settings of prices. Null and an absent member mean the default. */
export function validatePriceSettings(settings: Settings): FieldError[] {
  const spread = own(settings, 'priceSpreadBps');
  const currency = own(settings, 'defaultCurrency');
  const errors: [field: string, isValid: boolean, message: string][] = [
    [
      'priceSpreadBps',
      isBps(spread, maxSpreadBps),
      `must be an integer from 0 to ${maxSpreadBps}, in basis points`,
    ],
    [
      'defaultCurrency',
      typeof currency === 'string' && currencyDigits(currency) !== undefined,
      'must be a currency code of ISO 4217, such as EUR',
    ],
  ];
  return errors.flatMap(([field, isValid, message]) =>
    isValid || (own(settings, field) ?? null) === null ? [] : [{ field, message }],
  );
}

const own = (settings: Settings, name: string): unknown =>
  Object.hasOwn(settings, name) ? settings[name] : undefined;

const isBps = (value: unknown, most: number): value is number =>
  typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= most;
