import fc from 'fast-check';
import { MAX_AMOUNT } from '@tollbridge/money';
import { unitsWorth, usdValue } from '.';

/** A decimal text as an exact fraction. */
function exactly(text: string): { numerator: bigint; denominator: bigint } {
  const [whole = '', fraction = ''] = text.split('.');
  return { numerator: BigInt(whole + fraction), denominator: 10n ** BigInt(fraction.length) };
}

const digits = (least: number, most: number) =>
  fc.string({ unit: fc.constantFrom(...'0123456789'), minLength: least, maxLength: most });
const anyDecimal = fc
  .tuple(fc.bigInt({ min: 0n, max: 10n ** 31n - 1n }), digits(0, 30))
  .map(([whole, fraction]) => (fraction === '' ? String(whole) : `${whole}.${fraction}`));
const anyAmount = fc.bigInt({ min: 0n, max: MAX_AMOUNT });
const anyDecimals = fc.integer({ min: 0, max: 36 });

describe('usdValue', () => {
  it.each<[bigint, number, string, string]>([
    [0n, 6, '1', '0.00'],
    [1_000_000n, 6, '1', '1.00'],
    [1_500_000n, 6, '1', '1.50'],
    [1_234_567n, 6, '1', '1.234567'],
    [100_000_000n, 8, '96500.25', '96500.25'],
    [1n, 8, '96500.25', '0.000965'],
    [1n, 18, '1', '0.00'],
    [10n ** 18n, 18, '0.00000062', '0.00'],
    [1n, 0, '0.999999999', '0.999999'],
    [10n ** 36n, 36, '2', '2.00'],
    [10n ** 40n, 0, '0.000000000000000000000000000001', '10000000000.00'],
    [MAX_AMOUNT, 0, '1', `${MAX_AMOUNT}.00`],
  ])('%s at %i decimals and $%s is $%s', (amount, decimals, price, usd) => {
    expect(usdValue(amount, decimals, price)).toBe(usd);
  });

  it('is never above the true value, and less than a millionth below', () => {
    fc.assert(
      fc.property(anyAmount, anyDecimals, anyDecimal, (amount, decimals, price) => {
        const text = usdValue(amount, decimals, price);
        expect(text).toMatch(/^(0|[1-9][0-9]*)\.[0-9]{2,6}$/);
        const [shown, exact] = [exactly(text), exactly(price)];
        const trueNumerator = amount * exact.numerator;
        const trueDenominator = 10n ** BigInt(decimals) * exact.denominator;
        expect(shown.numerator * trueDenominator <= trueNumerator * shown.denominator).toBe(true);
        const above = shown.numerator * 1_000_000n + shown.denominator;
        expect(above * trueDenominator > trueNumerator * shown.denominator * 1_000_000n).toBe(true);
      }),
    );
  });
});

describe('unitsWorth', () => {
  it.each<[string, number, string, bigint | undefined]>([
    ['1', 6, '1', 1_000_000n],
    ['10', 8, '96500.25', 10_363n],
    ['0', 8, '96500.25', 0n],
    ['0.000001', 0, '96500', 1n],
    ['1', 6, '0', undefined],
    ['1', 6, '0.000', undefined],
    ['0.0000000000000000001', 18, '1', 1n],
    ['1', 0, '0.000000000000000000000000000001', 10n ** 30n],
  ])('$%s at %i decimals and $%s is %s', (usd, decimals, price, units) => {
    expect(unitsWorth(usd, decimals, price)).toBe(units);
  });

  it('is the least that is worth so much', () => {
    fc.assert(
      fc.property(anyDecimal, anyDecimals, anyDecimal, (usd, decimals, price) => {
        const units = unitsWorth(usd, decimals, price);
        const [wanted, each] = [exactly(usd), exactly(price)];
        if (each.numerator === 0n) return expect(units).toBeUndefined();
        const isWorth = (count: bigint) =>
          count * each.numerator * wanted.denominator >=
          wanted.numerator * each.denominator * 10n ** BigInt(decimals);
        expect(isWorth(units!)).toBe(true);
        expect(units === 0n || !isWorth(units! - 1n)).toBe(true);
      }),
    );
  });

  it('is shown as no more than it was asked for, and at most a unit away', () => {
    const price = fc.integer({ min: 1, max: 10_000_000 }).map((cents) => String(cents / 100));
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1_000_000 }), price, (usd, each) => {
        const units = unitsWorth(String(usd), 18, each)!;
        expect(Number(usdValue(units, 18, each))).toBeGreaterThanOrEqual(usd);
        expect(Number(usdValue(units - 1n, 18, each))).toBeLessThan(usd);
      }),
    );
  });
});
