import { findChain, findToken } from '@tollbridge/chains';
import { Conversions, type ConversionParts, type Place } from './conversions';
import { priceErrors } from './price-errors';

const place = (chainName: string, symbol: string): Place => {
  const chain = findChain(chainName)!;
  return { chain, token: findToken(chain, symbol)! };
};
const usdc = place('base', 'USDC');
const ether = place('base', 'ETH');
const priceAtMs = Date.UTC(2026, 10, 20, 12, 0, 30);
const fiatAtMs = Date.UTC(2026, 10, 20, 11);

const kept = (usd: string, isHeld = false) => ({ usd, atMs: priceAtMs, source: 'defillama', isHeld });

class RateError extends Error {}

function conversions(
  usd: ReturnType<ConversionParts['tokenPrice']>,
  { pegBandBps = 0, fiat }: { pegBandBps?: number; fiat?: ConversionParts['fiat']['of'] } = {},
): Conversions {
  const perUsd: Record<string, string> = { USD: '1', EUR: '0.92', JPY: '154.3', KWD: '0.3075' };
  return new Conversions({
    tokenPrice: () => usd,
    fiat: {
      of:
        fiat ??
        ((currency) =>
          perUsd[currency] === undefined
            ? { missing: 'unknown' }
            : { perUsd: perUsd[currency], source: 'ecb', atMs: fiatAtMs }),
    },
    pegBandBps,
    errors: {
      unavailable: (pair, reason) => new RateError(`${pair} ${reason}`),
      invalid: (message) => new RangeError(message),
    },
  });
}

describe('Conversions', () => {
  it('returns the rate with its sources and the time of the older reading', () => {
    expect(conversions(kept('0.9995')).rateOf(usdc, 'EUR')).toEqual({
      pair: 'USDC/EUR',
      value: '0.91954',
      source: 'defillama, ecb',
      time: '2026-11-20T11:00:00.000Z',
    });
  });

  it('names only the token source for dollars', () => {
    expect(conversions(kept('0.9995')).rateOf(usdc, 'USD')).toMatchObject({
      value: '0.9995',
      source: 'defillama',
      time: '2026-11-20T12:00:30.000Z',
    });
  });

  it.each([
    ['49.90', 'EUR', usdc, '0.9995', 0, 54_266_264n],
    ['49.90', 'EUR', usdc, '0.9995', 50, 54_537_595n],
    ['500', 'JPY', usdc, '1', 0, 3_240_441n],
    ['1.234', 'KWD', ether, '3000', 0, 1_337_669_376_693_767n],
    ['0.01', 'EUR', usdc, '1', 0, 10_870n],
  ])('converts %s %s at a spread of %s', (amount, currency, to, usd, spreadBps, expected) => {
    const { amount: converted, conversion } = conversions(kept(usd)).convert(
      { amount, currency },
      to,
      spreadBps,
    );
    expect(converted).toBe(expected);
    expect(conversion).toMatchObject({ price: { amount, currency }, rate: { spread_bps: spreadBps } });
  });

  it.each([
    ['the token has no recent price', undefined, {}, 'USDC/EUR stale'],
    ['the token price moved too far', kept('0.8', true), {}, 'USDC/EUR moved'],
    [
      'the currency is unknown',
      kept('1'),
      { fiat: () => ({ missing: 'unknown' }) as const },
      'USDC/EUR unknown',
    ],
    [
      'the currency rate is old',
      kept('1'),
      { fiat: () => ({ missing: 'stale' }) as const },
      'USDC/EUR stale',
    ],
    ['the currency rate moved', kept('1'), { fiat: () => ({ missing: 'moved' }) as const }, 'USDC/EUR moved'],
  ])('throws when %s', (_why, price, options, message) => {
    const convert = () => conversions(price, options).convert({ amount: '1', currency: 'EUR' }, usdc, 0);
    expect(convert).toThrow(new RateError(message));
  });

  it('converts a stablecoin 1:1 within the band of its peg, and at the market price outside', () => {
    const rate = (usd: string, pegBandBps: number) =>
      conversions(kept(usd), { pegBandBps }).rateOf(usdc, 'USD');
    expect(rate('0.9951', 50)).toMatchObject({ value: '1', source: 'defillama (peg)' });
    expect(rate('1.005', 50)).toMatchObject({ value: '1' });
    expect(rate('0.9949', 50)).toMatchObject({ value: '0.9949', source: 'defillama' });
    expect(rate('1.0051', 50)).toMatchObject({ value: '1.0051' });
    expect(rate('0.9999', 0)).toMatchObject({ value: '0.9999' });
  });

  it('never applies a peg to a token without one', () => {
    expect(conversions(kept('1.001'), { pegBandBps: 100 }).rateOf(ether, 'USD')).toMatchObject({
      value: '1.001',
    });
  });

  it('rejects an amount that the token does not have', () => {
    const convert = () =>
      conversions(kept('0.000000000000000001')).convert(
        { amount: '999999999999999', currency: 'USD' },
        place('solana', 'SOL'),
        0,
      );
    expect(convert).toThrow(RangeError);
  });
});

describe('priceErrors', () => {
  it.each([
    ['neither', {}, []],
    ['an amount', { amount: '1' }, []],
    ['a price', { price: { amount: '49.90', currency: 'EUR' } }, []],
    [
      'both',
      { amount: '1', price: { amount: '1', currency: 'EUR' } },
      [['price', 'must not be sent with amount']],
    ],
    [
      'an unknown currency',
      { price: { amount: '1', currency: 'EUX' } },
      [['price.currency', 'must be a currency code of ISO 4217, such as EUR']],
    ],
    [
      'too many digits',
      { price: { amount: '1.5', currency: 'JPY' } },
      [['price.amount', 'must be above 0, with no digits after the point for JPY']],
    ],
    [
      'zero',
      { price: { amount: '0.00', currency: 'EUR' } },
      [['price.amount', 'must be above 0, with at most 2 digits after the point for EUR']],
    ],
    ['a price without valid fields', { price: {} }, []],
  ])('returns the errors of %s', (_what, given, errors) => {
    expect(priceErrors(given, 'amount')).toEqual(errors);
  });
});
