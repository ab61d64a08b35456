import {
  compareDecimals,
  formatMoney,
  formatUnits,
  formatUsd,
  formatValue,
  parseUnits,
  shareOf,
  sumOf,
} from './amounts';

describe('formatUnits', () => {
  it.each([
    ['1234567', 6, '1.234567'],
    ['1000000', 6, '1'],
    ['1', 6, '0.000001'],
    ['0', 6, '0'],
    ['-1005000', 6, '-1.005'],
    ['1234567000000', 6, '1,234,567'],
    ['42', 0, '42'],
    ['123456789012345678901234567890', 18, '123,456,789,012.34567890123456789'],
  ])('formats %s with %i decimals as %s', (atomic, decimals, text) => {
    expect(formatUnits(atomic, decimals)).toBe(text);
  });

  it('returns a text that is not an amount unchanged', () => {
    expect(formatUnits('many', 6)).toBe('many');
  });
});

describe('parseUnits', () => {
  it.each([
    ['1.5', 6, '1500000'],
    [' 1,234.5 ', 6, '1234500000'],
    ['0.000001', 6, '1'],
    ['007', 2, '700'],
    ['0.1', 18, '100000000000000000'],
    ['9007199254740993', 0, '9007199254740993'],
  ])('parses %j with %i decimals to %s', (text, decimals, atomic) => {
    expect(parseUnits(text, decimals)).toBe(atomic);
  });

  it.each([
    ['', 6],
    ['1.5e3', 6],
    ['0.0000001', 6],
    ['-1', 6],
    ['1.', 6],
    ['.5', 6],
    ['Infinity', 6],
    ['0x10', 6],
  ])('returns no amount for %j with %i decimals', (text, decimals) => {
    expect(parseUnits(text, decimals)).toBeUndefined();
  });

  it('parses the output of formatUnits', () => {
    for (const atomic of ['1', '999999', '1000000', '123456789012345678'])
      expect(parseUnits(formatUnits(atomic, 6), 6)).toBe(atomic);
  });
});

it.each([
  ['1234567.50', 'EUR', '1,234,567.50 EUR'],
  ['500', 'JPY', '500 JPY'],
  [null, 'EUR', '—'],
])('formatMoney formats %j %s', (text, currency, shown) => {
  expect(formatMoney(text, currency)).toBe(shown);
});

it('formatValue prefers the value in the currency of the merchant', () => {
  expect(formatValue({ value_usd: '1.5' })).toBe('$1.50');
  expect(formatValue({ value_usd: '1.5', value: '1.38', value_currency: 'EUR' })).toBe('1.38 EUR');
  expect(formatValue({ value_usd: '1.5', value: null, value_currency: 'EUR' })).toBe('—');
});

describe('formatUsd', () => {
  it.each([
    ['1250.5', '$1,250.50'],
    ['0.999', '$0.99'],
    ['0', '$0.00'],
    ['-3', '-$3.00'],
    ['12345678901234567890.12', '$12,345,678,901,234,567,890.12'],
  ])('formats %s as %s', (text, usd) => {
    expect(formatUsd(text)).toBe(usd);
  });

  it.each([null, undefined, '', 'much'])('returns a dash for %j', (text) => {
    expect(formatUsd(text)).toBe('—');
  });
});

describe('sums and shares', () => {
  it('lose no precision', () => {
    expect(sumOf(['0.1', '0.2', '-0.3'])).toBe('0');
    expect(sumOf(['9007199254740993', '0.000000000000000001'])).toBe('9007199254740993.000000000000000001');
    expect(shareOf('0.1', '0.3')).toBe(333);
    expect(shareOf('5', '0')).toBe(0);
    expect(shareOf('3', '2')).toBe(1500);
  });

  it('compare decimals by their value', () => {
    expect(['10', '9.99', '0.5'].sort(compareDecimals)).toEqual(['0.5', '9.99', '10']);
  });
});
