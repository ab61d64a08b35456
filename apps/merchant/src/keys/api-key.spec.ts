import { rateOf, keyRejection } from './api-key';

describe('rateOf', () => {
  it.each([
    ['free', { perMinute: 100, burst: 200 }],
    ['pro', { perMinute: 1_000, burst: 2_000 }],
    ['enterprise', null],
  ] as const)('returns the rate of the plan %s', (plan, rate) => {
    expect(rateOf({ plan, customRate: null })).toEqual(rate);
  });

  it.each(['free', 'pro', 'enterprise'] as const)(
    'returns the custom rate of a key on the plan %s',
    (plan) => {
      const customRate = { perMinute: 7, burst: 3 };
      expect(rateOf({ plan, customRate })).toBe(customRate);
    },
  );
});

describe('keyRejection', () => {
  const good = { isEnabled: true, isDeleted: false, environment: 'test' } as const;

  it.each([
    [{}, undefined],
    [{ isEnabled: false }, 'disabled'],
    [{ isDeleted: true }, 'deleted'],
    [{ isEnabled: false, isDeleted: true }, 'deleted'],
    [{ environment: 'sandbox' }, 'foreign_environment'],
    [{ environment: 'production', isDeleted: true }, 'foreign_environment'],
  ] as const)('returns for a key with %j: %s', (changes, reason) => {
    expect(keyRejection({ ...good, ...changes }, 'test')).toBe(reason);
  });
});
