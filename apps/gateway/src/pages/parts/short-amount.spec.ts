import { shortAmount } from './short-amount';

describe('shortAmount', () => {
  it.each([
    ['12.5', 'up', '12.5'],
    ['0.002996457750000002', 'up', '0.00299646'],
    ['0.002996457750000002', 'down', '0.00299645'],
    ['12.587640078015603123', 'up', '12.5877'],
    ['12.000000000000000001', 'up', '12.0001'],
    ['12.000000000000000001', 'down', '12'],
    ['100000000', 'down', '100000000'],
    ['1234567.891', 'down', '1234567'],
    ['1234567.891', 'up', '1234568'],
    ['9.9999999', 'up', '10'],
    ['0', 'down', '0'],
  ] as const)('formats %s rounded %s as %s', (text, rounding, expected) => {
    expect(shortAmount(text, rounding)).toBe(expected);
  });
});
