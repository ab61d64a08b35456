import { fiatValue, fiatVolume, type FiatDayRow } from './fiat-volume';

const aDay = (changes: Partial<FiatDayRow> = {}): FiatDayRow => ({
  day: '2026-11-20',
  payments: '3',
  unpriced: '0',
  value_usd: '30',
  rate: '0.92',
  priced: null,
  priced_unpriced: null,
  priced_usd: null,
  price: null,
  ...changes,
});
const priced = { priced: '1', priced_unpriced: '0', priced_usd: '10.87', price: '10.00' };

describe('fiatVolume', () => {
  it.each([
    ['no days', [], '0.00', 0],
    ['dollar values at the rate of the day', [aDay()], '27.60', 0],
    ['days with different rates', [aDay(), aDay({ day: '2026-11-21', rate: '0.9' })], '54.60', 0],
    ['prices in the currency as they are', [aDay(priced)], '27.59', 0],
    ['payments without a dollar value', [aDay({ unpriced: '2' })], '27.60', 2],
    [
      'a price without a dollar value',
      [aDay({ ...priced, unpriced: '2', priced_unpriced: '1', priced_usd: '0' })],
      '37.60',
      1,
    ],
    ['a day without a rate', [aDay({ ...priced, rate: null })], '10.00', 2],
  ])('adds up %s', (_what, days, volume, unpriced) => {
    expect(fiatVolume(days, 'EUR')).toEqual({ volume, unpriced });
  });

  it('has the digits of the currency, rounded down once', () => {
    const days = [
      aDay({ value_usd: '0.333333', rate: '154.3' }),
      aDay({ value_usd: '0.333333', rate: '154.3' }),
    ];
    expect(fiatVolume(days, 'JPY').volume).toBe('102');
    expect(fiatVolume(days, 'KWD').volume).toBe('102.866');
  });
});

describe('fiatValue', () => {
  const price = { amount: '49.90', currency: 'EUR' };

  it.each([
    [{ price, valueUsd: '54.2', rate: '0.92' }, 'EUR', '49.90'],
    [{ price, valueUsd: null, rate: undefined }, 'EUR', '49.90'],
    [{ price, valueUsd: '54.2', rate: '0.79' }, 'GBP', '42.81'],
    [{ price: null, valueUsd: '54.2', rate: '0.92' }, 'EUR', '49.86'],
    [{ price: null, valueUsd: '54.2', rate: undefined }, 'EUR', null],
    [{ price: null, valueUsd: null, rate: '0.92' }, 'EUR', null],
  ])('values %j in %s', (payment, currency, value) => {
    expect(fiatValue(payment, currency)).toBe(value);
  });
});
