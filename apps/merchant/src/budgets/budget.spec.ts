import { budgetError, monthOf, thresholdsReached, percentOf, type KeyMonth } from './budget';
import { microsOf, usdOf } from './usd-micros';

const key = (changes: Partial<KeyMonth> = {}): KeyMonth => ({
  keyId: 'key',
  month: '2026-11',
  owner: 'wallet',
  label: 'Shop',
  environment: 'sandbox',
  isEnabled: true,
  isDeleted: false,
  monthlyBudgetUsd: '100',
  maxPerTxUsd: null,
  usedMicros: 0n,
  isWarned: false,
  isReached: false,
  ...changes,
});
const usd = microsOf;

describe('dollars', () => {
  it.each([
    ['0', 0n, '0.00'],
    ['0.000001', 1n, '0.000001'],
    ['1.5', 1_500_000n, '1.50'],
    ['100', 100_000_000n, '100.00'],
    ['0.0000019', 1n, '0.000001'],
    ['9'.repeat(78), BigInt(`${'9'.repeat(78)}000000`), `${'9'.repeat(78)}.00`],
  ])('%s are %s millionths, written %s', (text, micros, written) => {
    expect(microsOf(text)).toBe(micros);
    expect(usdOf(micros)).toBe(written);
  });
});

it.each([
  ['2026-11-30T23:59:59.999Z', '2026-11'],
  ['2026-12-01T00:00:00.000Z', '2026-12'],
])('a spend at %s counts in %s, wherever the server stands', (time, month) => {
  expect(monthOf(Date.parse(time))).toBe(month);
});

describe('what a key may spend', () => {
  it.each([
    ['all of its budget', {}, '100', undefined],
    ['no more than that', {}, '100.000001', 'BUDGET_EXCEEDED'],
    ['what is left of it', { usedMicros: usd('90') }, '10', undefined],
    ['no more than is left', { usedMicros: usd('90') }, '10.000001', 'BUDGET_EXCEEDED'],
    [
      'nothing more where a late payment exceeds it',
      { usedMicros: usd('150') },
      '0.000001',
      'BUDGET_EXCEEDED',
    ],
    ['all of its maximum at once', { maxPerTxUsd: '20' }, '20', undefined],
    ['no more at once', { maxPerTxUsd: '20' }, '20.000001', 'MAX_PER_TX_EXCEEDED'],
    ['nothing with a budget of nothing', { monthlyBudgetUsd: '0' }, '0.01', 'BUDGET_EXCEEDED'],
    ['nothing at once with a maximum of nothing', { maxPerTxUsd: '0' }, '0.01', 'MAX_PER_TX_EXCEEDED'],
    ['anything without bounds', { monthlyBudgetUsd: null }, '1000000', undefined],
  ])('%s', (_name, changes, value, code) => {
    expect(budgetError(key(changes), usd(value))?.code).toBe(code);
  });

  it('is said with the refusal', () => {
    const { details } = budgetError(key({ usedMicros: usd('90.5') }), usd('10'))!;
    expect(details).toEqual({ limit: '100.00', used: '90.50', requested: '10.00' });
  });

  it('without a price is nothing with any bound, and everything without', () => {
    expect(budgetError(key(), null)?.code).toBe('UPSTREAM_UNAVAILABLE');
    expect(budgetError(key({ monthlyBudgetUsd: null, maxPerTxUsd: '1' }), null)?.code).toBe(
      'UPSTREAM_UNAVAILABLE',
    );
    expect(budgetError(key({ monthlyBudgetUsd: null }), null)).toBeUndefined();
  });
});

describe('the owner is told', () => {
  it.each([
    ['79.999999', {}, []],
    ['80', {}, ['key-budget-warning']],
    ['99.99', { isWarned: true }, []],
    ['100', { isWarned: true }, ['key-budget-reached']],
    ['100', {}, ['key-budget-warning', 'key-budget-reached']],
    ['140', { isWarned: true, isReached: true }, []],
  ])('at %s of 100 dollars, with %j: %j', (used, told, news) => {
    expect(thresholdsReached(key({ usedMicros: usd(used), ...told }))).toEqual(news);
  });

  it('of nothing where there is nothing to use up', () => {
    for (const monthlyBudgetUsd of [null, '0']) {
      expect(thresholdsReached(key({ monthlyBudgetUsd, usedMicros: usd('5') }))).toEqual([]);
      expect(percentOf(key({ monthlyBudgetUsd }))).toBeUndefined();
    }
  });
});
