import { magicOf } from './magic-amounts';
import { dividedBy, fraction, moneyOf, number, percentOf, times } from './money';

describe('Money of the Reloadly simulator', () => {
  it.each([
    ['1.08654', 1.08654],
    ['25', 25],
    ['0.5', 0.5],
  ])('reads %s exactly', (text, shown) => expect(number(fraction(text))).toBe(shown));

  it.each([
    [25, 25],
    ['10.5', 10.5],
    [0.1 + 0.2, undefined],
    [0, undefined],
    [-1, undefined],
    ['1e3', undefined],
    [null, undefined],
    [1e309, undefined],
  ])('parses %p as %p', (given, expected) => {
    const money = moneyOf(given);
    expect(money === undefined ? undefined : number(money)).toBe(expected);
  });

  it('rounds to five decimals', () => {
    expect(number(times(fraction('7.77'), fraction('1.08654')))).toBe(8.44242);
    expect(number(dividedBy(fraction('2000'), fraction('1500')))).toBe(1.33333);
    expect(number(percentOf(fraction('3'), fraction('25')))).toBe(0.75);
  });
});

describe('Magic amount', () => {
  it.each([
    ['10.61', 'outOfStock'],
    ['5000.63', 'slow'],
    ['0.72', 'codesLate'],
    ['10.6', undefined],
    ['10.60', undefined],
    ['10.611', undefined],
    ['61', undefined],
    ['10.73', 'takesMinute'],
    ['10.74', undefined],
  ])('%s chooses %s', (amount, magic) => expect(magicOf(fraction(amount))).toBe(magic));
});
