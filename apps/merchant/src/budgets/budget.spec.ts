import { budgetError, monthOf, thresholdsReached, percentOf } from './budget';
import { aKeyMonth } from './testing/key-month.builder';
import { microsOf, usdOf } from './usd-micros';

const usd = microsOf;

describe('microsOf and usdOf', () => {
  it.each([
    ['0', 0n, '0.00'],
    ['0.000001', 1n, '0.000001'],
    ['1.5', 1_500_000n, '1.50'],
    ['100', 100_000_000n, '100.00'],
    ['0.0000019', 1n, '0.000001'],
    ['9'.repeat(78), BigInt(`${'9'.repeat(78)}000000`), `${'9'.repeat(78)}.00`],
  ])('convert %s dollars to %s micro-dollars and back to %s', (text, micros, written) => {
    expect(microsOf(text)).toBe(micros);
    expect(usdOf(micros)).toBe(written);
  });
});

it.each([
  ['2026-11-30T23:59:59.999Z', '2026-11'],
  ['2026-12-01T00:00:00.000Z', '2026-12'],
])('monthOf assigns %s to the month %s, in any time zone of the server', (time, month) => {
  expect(monthOf(Date.parse(time))).toBe(month);
});

describe('budgetError', () => {
  it.each([
    ['allows the whole budget', {}, '100', undefined],
    ['rejects more than the budget', {}, '100.000001', 'BUDGET_EXCEEDED'],
    ['allows exactly what is left of the budget', { usedMicros: usd('90') }, '10', undefined],
    ['rejects more than is left of the budget', { usedMicros: usd('90') }, '10.000001', 'BUDGET_EXCEEDED'],
    [
      'rejects everything after a late payment exceeded the budget',
      { usedMicros: usd('150') },
      '0.000001',
      'BUDGET_EXCEEDED',
    ],
    ['allows the maximum per transaction', { maxPerTxUsd: '20' }, '20', undefined],
    [
      'rejects more than the maximum per transaction',
      { maxPerTxUsd: '20' },
      '20.000001',
      'MAX_PER_TX_EXCEEDED',
    ],
    ['rejects everything with a budget of zero', { monthlyBudgetUsd: '0' }, '0.01', 'BUDGET_EXCEEDED'],
    ['rejects everything with a maximum of zero', { maxPerTxUsd: '0' }, '0.01', 'MAX_PER_TX_EXCEEDED'],
    ['allows any value without a budget', { monthlyBudgetUsd: null }, '1000000', undefined],
    [
      'allows the maximum per transaction without a budget',
      { monthlyBudgetUsd: null, maxPerTxUsd: '20' },
      '20',
      undefined,
    ],
  ])('%s', (_name, changes, value, code) => {
    expect(budgetError(aKeyMonth(changes), usd(value))?.code).toBe(code);
  });

  it('contains the limit, the used value and the requested value', () => {
    const { details } = budgetError(aKeyMonth({ usedMicros: usd('90.5') }), usd('10'))!;
    expect(details).toEqual({ limit: '100.00', used: '90.50', requested: '10.00' });
  });

  it('contains the maximum per transaction as the limit when the spend exceeds that maximum', () => {
    const { details } = budgetError(aKeyMonth({ maxPerTxUsd: '5', usedMicros: usd('1') }), usd('10'))!;
    expect(details).toEqual({ limit: '5.00', used: '1.00', requested: '10.00' });
  });

  it('contains the reason when the spend has no price', () => {
    expect(budgetError(aKeyMonth(), null)?.details).toEqual({ reason: 'price_unknown' });
  });

  it('rejects a spend without a price for a key with a limit, and allows it for a key without limits', () => {
    expect(budgetError(aKeyMonth(), null)?.code).toBe('UPSTREAM_UNAVAILABLE');
    expect(budgetError(aKeyMonth({ monthlyBudgetUsd: null, maxPerTxUsd: '1' }), null)?.code).toBe(
      'UPSTREAM_UNAVAILABLE',
    );
    expect(budgetError(aKeyMonth({ monthlyBudgetUsd: null }), null)).toBeUndefined();
  });
});

describe('thresholdsReached', () => {
  it.each([
    ['79.999999', {}, []],
    ['80', {}, ['key-budget-warning']],
    ['99.99', { isWarned: true }, []],
    ['100', { isWarned: true }, ['key-budget-reached']],
    ['100', {}, ['key-budget-warning', 'key-budget-reached']],
    ['140', { isWarned: true, isReached: true }, []],
  ])('returns at %s of 100 dollars, with %j: %j', (used, reported, events) => {
    expect(thresholdsReached(aKeyMonth({ usedMicros: usd(used), ...reported }))).toEqual(events);
  });

  it('returns nothing for a key without a budget, or with a budget of zero', () => {
    for (const monthlyBudgetUsd of [null, '0']) {
      expect(thresholdsReached(aKeyMonth({ monthlyBudgetUsd, usedMicros: usd('5') }))).toEqual([]);
      expect(percentOf(aKeyMonth({ monthlyBudgetUsd }))).toBeUndefined();
    }
  });
});
