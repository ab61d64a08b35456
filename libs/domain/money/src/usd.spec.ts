import fc from 'fast-check';
import { maxAmount } from './amount';
import { Decimal } from './decimal';
import { sumUsd, unitsWorth, usdText, usdValue } from './usd';

/** Converts a decimal text to an exact fraction. */
function exactly(text: string): { numerator: bigint; denominator: bigint } {
  const [whole = '', fraction = ''] = text.split('.');
  return { numerator: BigInt(whole + fraction), denominator: 10n ** BigInt(fraction.length) };
}

const digits = (least: number, most: number) =>
  fc.string({ unit: fc.constantFrom(...'0123456789'), minLength: least, maxLength: most });
const anyDecimal = fc
  .tuple(fc.bigInt({ min: 0n, max: 10n ** 31n - 1n }), digits(0, 30))
  .map(([whole, fraction]) => (fraction === '' ? String(whole) : `${whole}.${fraction}`));
const anyAmount = fc.bigInt({ min: 0n, max: maxAmount });
const anyDecimals = fc.integer({ min: 0, max: 36 });

describe('usdText', () => {
  it.each([
    ['0', '0.00'],
    ['12.5', '12.50'],
    ['1.2345678', '1.234567'],
    ['0.0000009', '0.00'],
  ])('formats %s as %s', (value, text) => {
    expect(usdText(Decimal.of(value))).toBe(text);
  });
});

describe('sumUsd', () => {
  it.each([
    [[], '0.00'],
    [['1.50'], '1.50'],
    [['0.1', '0.2'], '0.30'],
    [['33.330001', '0.000009'], '33.33001'],
  ])('adds %j to %s', (values, sum) => {
    expect(sumUsd(values)).toBe(sum);
  });

  it('returns null if one value is unknown', () => {
    expect(sumUsd(['1.00', null])).toBeNull();
  });
});

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
    [maxAmount, 0, '1', `${maxAmount}.00`],
  ])('values %s at %i decimals and a price of $%s at $%s', (amount, decimals, price, usd) => {
    expect(usdValue(amount, decimals, price)).toBe(usd);
  });

  it('rounds down by less than a millionth of a dollar', () => {
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
  ])('converts $%s at %i decimals and a price of $%s to %s', (usd, decimals, price, units) => {
    expect(unitsWorth(usd, decimals, price)).toBe(units);
  });

  it('returns the smallest amount that is worth the given dollars', () => {
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

  it('agrees with usdValue for the amount and for one unit less', () => {
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
