import fc from 'fast-check';
import { maxAmount, formatUnits, parseUnits } from '.';

const anyAmount = fc.bigInt({ min: 0n, max: maxAmount });
const anyDecimals = fc.integer({ min: 0, max: 255 });

describe('formatUnits', () => {
  const written: [bigint, number, string][] = [
    [0n, 0, '0'],
    [0n, 18, '0'],
    [1n, 0, '1'],
    [100n, 0, '100'],
    [1n, 18, '0.000000000000000001'],
    [1_000_000n, 6, '1'],
    [1_500_000n, 6, '1.5'],
    [10_000_000n, 6, '10'],
    [123_456_789n, 6, '123.456789'],
    // A double would round this value to ...992.
    [9_007_199_254_740_993n, 2, '90071992547409.93'],
    [maxAmount, 18, '115792089237316195423570985008687907853269984665640564039457.584007913129639935'],
  ];
  it.each(written)('formats %s at %i decimals as %s', (amount, decimals, text) => {
    expect(formatUnits(amount, decimals)).toBe(text);
    expect(parseUnits(text, decimals)).toBe(amount);
  });

  it('returns digits with at most one point, and no trailing zero after it', () => {
    fc.assert(
      fc.property(anyAmount, anyDecimals, (amount, decimals) => {
        expect(formatUnits(amount, decimals)).toMatch(/^(0|[1-9][0-9]*)(\.[0-9]*[1-9])?$/);
      }),
    );
  });

  it.each([-1n, maxAmount + 1n])('throws for the amount %s', (amount) => {
    expect(() => formatUnits(amount, 6)).toThrow('from 0 to 2^256-1');
  });

  it.each([-1, 1.5, 256, NaN, Infinity])('throws for %p decimals', (decimals) => {
    expect(() => formatUnits(1n, decimals)).toThrow('decimals must be a whole number');
    expect(() => parseUnits('1', decimals)).toThrow('decimals must be a whole number');
  });
});

describe('parseUnits', () => {
  it('parses the output of formatUnits', () => {
    fc.assert(
      fc.property(anyAmount, anyDecimals, (amount, decimals) => {
        expect(parseUnits(formatUnits(amount, decimals), decimals)).toBe(amount);
      }),
    );
  });

  it('preserves the order of amounts', () => {
    const cents = fc.integer({ min: 0, max: 1_000_000 });
    fc.assert(
      fc.property(cents, cents, (left, right) => {
        const asText = (value: number) =>
          `${Math.floor(value / 100)}.${String(value % 100).padStart(2, '0')}`;
        expect(parseUnits(asText(left), 2) < parseUnits(asText(right), 2)).toBe(left < right);
      }),
    );
  });

  it('accepts trailing zeros within the precision', () => {
    expect(parseUnits('1.50', 6)).toBe(1_500_000n);
  });

  it.each([
    ['0.0000001', 6],
    ['1.0000000', 6],
    ['1.5', 0],
  ])('throws for %s at %i decimals instead of rounding', (text, decimals) => {
    expect(() => parseUnits(text, decimals)).toThrow('digits may follow the point');
  });

  it.each([
    '',
    '.',
    '1.',
    '.5',
    '01',
    '-1',
    '+1',
    ' 1',
    '1 ',
    '1e3',
    '0x1',
    '1,5',
    '1.2.3',
    '1\n',
    '٣',
    '9'.repeat(10_000),
  ])('throws for %p', (text) => {
    expect(() => parseUnits(text, 18)).toThrow('plain digits');
  });

  it('throws for amounts above 2^256-1', () => {
    expect(parseUnits(maxAmount.toString(), 0)).toBe(maxAmount);
    expect(() => parseUnits((maxAmount + 1n).toString(), 0)).toThrow('above 2^256-1');
    expect(() => parseUnits('2', 77)).toThrow('above 2^256-1');
  });
});
