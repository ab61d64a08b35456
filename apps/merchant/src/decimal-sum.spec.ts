import { addDecimals, compareDecimals, roundDecimal } from './decimal-sum';

describe('addDecimals', () => {
  it.each<[string[], string]>([
    [[], '0'],
    [['0.1', '0.2'], '0.3'],
    [['9007199254740993', '0.000000000000000001'], '9007199254740993.000000000000000001'],
    [['1.50', '2.50'], '4'],
  ])('adds %j to %s', (texts, sum) => expect(addDecimals(texts)).toBe(sum));
});

describe('compareDecimals', () => {
  it.each<[string, string, number]>([
    ['9007199254740993', '9007199254740992', 1],
    ['0.1', '0.10', 0],
    ['0.09', '0.1', -1],
  ])('compares %s with %s as %d', (one, other, order) => expect(compareDecimals(one, other)).toBe(order));
});

describe('roundDecimal', () => {
  it.each<[string, string]>([
    ['1', '1'],
    ['0.0000005', '0.000001'],
    ['0.00000049', '0'],
    ['2.9999999', '3'],
    ['12.345678', '12.345678'],
  ])('rounds %s to 6 places as %s', (text, rounded) => expect(roundDecimal(text, 6)).toBe(rounded));
});
