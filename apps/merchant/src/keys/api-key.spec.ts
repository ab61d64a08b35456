import { rateOf, keyRejection } from './api-key';

describe('the rate of a key', () => {
  it.each([
    ['free', { perMinute: 100, burst: 200 }],
    ['pro', { perMinute: 1_000, burst: 2_000 }],
    ['enterprise', null],
  ] as const)('is that of its plan: %s', (plan, rate) => {
    expect(rateOf({ plan, customRate: null })).toEqual(rate);
  });

  it.each(['free', 'pro', 'enterprise'] as const)('is its own where it has one: %s', (plan) => {
    const customRate = { perMinute: 7, burst: 3 };
    expect(rateOf({ plan, customRate })).toBe(customRate);
  });
});

describe('a key', () => {
  const good = { isEnabled: true, isDeleted: false, environment: 'test' } as const;

  it.each([
    [{}, undefined],
    [{ isEnabled: false }, 'disabled'],
    [{ isDeleted: true }, 'deleted'],
    [{ isEnabled: false, isDeleted: true }, 'deleted'],
    [{ environment: 'sandbox' }, 'foreign_environment'],
    [{ environment: 'production', isDeleted: true }, 'foreign_environment'],
  ] as const)('with %j is refused: %s', (changes, reason) => {
    expect(keyRejection({ ...good, ...changes }, 'test')).toBe(reason);
  });
});
