import { assert, bigInt, integer, property } from 'fast-check';
import { fromAtomic, toAtomic } from '.';

describe('toAtomic', () => {
  it.each<[string, number, bigint]>([
    ['1.25', 6, 1_250_000n],
    ['0.000001', 6, 1n],
    ['1.2500000000', 6, 1_250_000n],
    ['0', 18, 0n],
    ['00012', 0, 12n],
    ['123456789012345678901234567890.5', 18, 123456789012345678901234567890500000000000000000n],
  ])('converts %s with %d decimals exactly', (amount, decimals, atomic) => {
    expect(toAtomic(amount, decimals)).toBe(atomic);
  });

  it.each(['', '.5', '1.', '-1', '+1', '1e3', '1,5', ' 1', '1_000', '0x10', '١'])(
    'rejects a text that is not a plain decimal: %j',
    (amount) => {
      expect(() => toAtomic(amount, 6)).toThrow(RangeError);
    },
  );

  it('rejects an amount with more decimals than the token, instead of rounding', () => {
    expect(() => toAtomic('0.0000001', 6)).toThrow('more than the 6 decimals');
    expect(() => toAtomic('0.5', 0)).toThrow(RangeError);
  });

  it('rejects JavaScript numbers, because they are not exact', () => {
    expect(() => toAtomic(1.25 as unknown as string, 6)).toThrow(RangeError);
    expect(() => fromAtomic(1250000 as unknown as bigint, 6)).toThrow(RangeError);
  });

  it.each([-1, 1.5, 78, NaN])('rejects %d decimals', (decimals) => {
    expect(() => toAtomic('1', decimals)).toThrow(RangeError);
    expect(() => fromAtomic(1n, decimals)).toThrow(RangeError);
  });
});

describe('fromAtomic', () => {
  it.each<[bigint | string, number, string]>([
    [1_250_000n, 6, '1.25'],
    ['1000000', 6, '1'],
    [1n, 18, '0.000000000000000001'],
    [0n, 6, '0'],
    [-1_500_000n, 6, '-1.5'],
    [42n, 0, '42'],
  ])('formats %s with %d decimals as %s', (atomic, decimals, amount) => {
    expect(fromAtomic(atomic, decimals)).toBe(amount);
  });

  it('reverses toAtomic', () => {
    assert(
      property(bigInt({ min: 0n, max: 10n ** 78n }), integer({ min: 0, max: 30 }), (atomic, decimals) =>
        expect(toAtomic(fromAtomic(atomic, decimals), decimals)).toBe(atomic),
      ),
    );
  });

  it.each(['', '1.5', 'abc', '1e3'])('rejects %j', (atomic) => {
    expect(() => fromAtomic(atomic, 6)).toThrow(RangeError);
  });
});
