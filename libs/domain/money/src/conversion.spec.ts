import fc from 'fast-check';
import { amountForPrice, splitValue, valueOf } from './conversion';
import { currencyCodes, currencyDigits } from './currency';
import { maxAmount } from './amount';

/** Converts a decimal text to an exact fraction. */
function exactly(text: string): { numerator: bigint; denominator: bigint } {
  const [whole = '', fraction = ''] = text.split('.');
  return { numerator: BigInt(whole + fraction), denominator: 10n ** BigInt(fraction.length) };
}

/** Formats minor units with all their digits. */
function textOf(minorUnits: bigint, digits: number): string {
  if (digits === 0) return String(minorUnits);
  const text = String(minorUnits).padStart(digits + 1, '0');
  return `${text.slice(0, -digits)}.${text.slice(-digits)}`;
}

const minorOf = (text: string): bigint => BigInt(text.replace('.', ''));

const anyCode = fc.constantFrom(...currencyCodes);
const anyPrice = anyCode.chain((code) =>
  fc
    .bigInt({ min: 1n, max: 10n ** 15n })
    .map((minorUnits) => ({ code, minorUnits, amount: textOf(minorUnits, currencyDigits(code)!) })),
);
// From a currency with a unit above a thousand tokens to one with a trillion units for a token.
const anyRate = fc
  .tuple(fc.bigInt({ min: 1n, max: 10n ** 24n }), fc.integer({ min: 0, max: 12 }))
  .map(([units, digits]) => textOf(units, digits));
const anySpread = fc.integer({ min: 0, max: 10_000 });
const anyDecimals = fc.integer({ min: 0, max: 24 });
const runs = { numRuns: 1_000 };

describe('amountForPrice', () => {
  const amounts: [string, string, number, number, bigint][] = [
    // 49.90 EUR at 0.92 EUR for a USDC are 54.2391304... USDC.
    ['49.90', '0.92', 0, 6, 54_239_131n],
    ['46', '0.92', 0, 6, 50_000_000n],
    ['46', '0.92', 100, 6, 50_500_000n],
    ['46', '0.92', 10_000, 6, 100_000_000n],
    ['0.01', '1', 0, 6, 10_000n],
    ['0.01', '1', 1, 6, 10_001n],
    ['500', '150', 0, 6, 3_333_334n],
    ['500', '150', 0, 0, 4n],
    ['1', '3', 0, 18, 333_333_333_333_333_334n],
    ['999999999999999.99', '0.000001', 0, 0, 999_999_999_999_999_990_000n],
    ['0.01', '100000000', 0, 6, 1n],
  ];
  it.each(amounts)(
    'converts %s at %s with %i bps to a token with %i decimals',
    (amount, rate, spreadBps, decimals, atomic) => {
      expect(amountForPrice({ amount, rate, spreadBps, decimals })).toBe(atomic);
    },
  );

  it('returns at least the exact amount, and less than one smallest unit above it', () => {
    fc.assert(
      fc.property(anyPrice, anyRate, anySpread, anyDecimals, ({ amount }, rate, spreadBps, decimals) => {
        const atomic = amountForPrice({ amount, rate, spreadBps, decimals });
        const [price, perToken] = [exactly(amount), exactly(rate)];
        const numerator =
          price.numerator * BigInt(10_000 + spreadBps) * perToken.denominator * 10n ** BigInt(decimals);
        const denominator = price.denominator * 10_000n * perToken.numerator;
        expect(atomic * denominator >= numerator).toBe(true);
        expect((atomic - 1n) * denominator < numerator).toBe(true);
      }),
      runs,
    );
  });

  it('never decreases when the price or the spread increases, or when the rate decreases', () => {
    const more = fc.bigInt({ min: 0n, max: 10n ** 15n });
    fc.assert(
      fc.property(
        anyPrice,
        more,
        anyRate,
        anySpread,
        anyDecimals,
        (price, extra, rate, spreadBps, decimals) => {
          const atomic = amountForPrice({ amount: price.amount, rate, spreadBps, decimals });
          const higher = textOf(price.minorUnits + extra, currencyDigits(price.code)!);
          expect(amountForPrice({ amount: higher, rate, spreadBps, decimals }) >= atomic).toBe(true);
          expect(amountForPrice({ amount: price.amount, rate, spreadBps: 10_000, decimals }) >= atomic).toBe(
            true,
          );
          const higherRate = `1${rate}`;
          expect(
            amountForPrice({ amount: price.amount, rate: higherRate, spreadBps, decimals }) <= atomic,
          ).toBe(true);
        },
      ),
      runs,
    );
  });

  it.each([
    ['a price of 0', { amount: '0.00' }, 'a price must be above 0'],
    ['a negative price', { amount: '-1' }, 'a price must be a plain decimal'],
    ['a price with an exponent', { amount: '1e3' }, 'a price must be a plain decimal'],
    ['an empty price', { amount: '' }, 'a price must be a plain decimal'],
    ['a price with a line break', { amount: '1\n' }, 'a price must be a plain decimal'],
    ['a price of thousands of digits', { amount: '1'.repeat(1_001) }, 'a price must be a plain decimal'],
    ['a rate of 0', { rate: '0' }, 'a rate must be above 0'],
    ['a rate of 0.000', { rate: '0.000' }, 'a rate must be above 0'],
    ['a rate without a digit before the point', { rate: '.5' }, 'a rate must be a plain decimal'],
    ['a rate with a leading zero', { rate: '01' }, 'a rate must be a plain decimal'],
    ['a negative spread', { spreadBps: -1 }, 'a spread must be'],
    ['a spread above the whole', { spreadBps: 10_001 }, 'a spread must be'],
    ['a fraction of a basis point', { spreadBps: 0.5 }, 'a spread must be'],
    ['a spread that is not a number', { spreadBps: NaN }, 'a spread must be'],
    ['negative decimals', { decimals: -1 }, 'decimals must be'],
    ['decimals above a byte', { decimals: 256 }, 'decimals must be'],
    ['a fraction of decimals', { decimals: 1.5 }, 'decimals must be'],
    ['an amount above 2^256-1', { decimals: 78 }, 'above 2^256-1'],
  ])('throws for %s', (_case, wrong, reason) => {
    const valid = { amount: '1', rate: '1', spreadBps: 0, decimals: 6 };
    expect(() => amountForPrice({ ...valid, ...wrong })).toThrow(RangeError);
    expect(() => amountForPrice({ ...valid, ...wrong })).toThrow(reason);
  });

  it('accepts the largest amount, spread and number of decimals', () => {
    const whole = { amount: '1', rate: '1', spreadBps: 0 };
    expect(amountForPrice({ ...whole, amount: String(maxAmount), decimals: 0 })).toBe(maxAmount);
    expect(amountForPrice({ ...whole, rate: `1${'0'.repeat(255)}`, decimals: 255 })).toBe(1n);
    expect(amountForPrice({ ...whole, rate: '9'.repeat(1_000), decimals: 0 })).toBe(1n);
  });
});

describe('valueOf', () => {
  it.each<[bigint, string, number, number, string]>([
    [54_239_131n, '0.92', 6, 2, '49.90'],
    [54_239_130n, '0.92', 6, 2, '49.89'],
    [50_000_000n, '0.92', 6, 2, '46.00'],
    [3_333_334n, '150', 6, 0, '500'],
    [1n, '1', 18, 2, '0.00'],
    [0n, '1', 6, 2, '0.00'],
    [0n, '1', 6, 0, '0'],
    [12_345n, '1', 4, 3, '1.234'],
    [1n, '0.5', 0, 4, '0.5000'],
    [maxAmount, '1', 0, 0, String(maxAmount)],
  ])(
    'values %s at %s with %i decimals as the text with %i digits',
    (amount, rate, decimals, digits, value) => {
      expect(valueOf(amount, { rate, decimals, digits })).toBe(value);
    },
  );

  it('returns at most the exact value, with exactly the digits of the currency', () => {
    const anyAmount = fc.bigInt({ min: 0n, max: maxAmount });
    fc.assert(
      fc.property(anyAmount, anyRate, anyDecimals, anyCode, (amount, rate, decimals, code) => {
        const digits = currencyDigits(code)!;
        const value = valueOf(amount, { rate, decimals, digits });
        expect(value).toMatch(
          digits === 0 ? /^(0|[1-9]\d*)$/ : new RegExp(`^(0|[1-9]\\d*)\\.\\d{${digits}}$`),
        );
        const perToken = exactly(rate);
        const numerator = amount * perToken.numerator * 10n ** BigInt(digits);
        const denominator = perToken.denominator * 10n ** BigInt(decimals);
        expect(minorOf(value) * denominator <= numerator).toBe(true);
        expect((minorOf(value) + 1n) * denominator > numerator).toBe(true);
      }),
      runs,
    );
  });

  it('returns the price of a converted amount, or what one smallest unit of the token is worth above it', () => {
    fc.assert(
      fc.property(anyPrice, anyRate, anyDecimals, ({ code, minorUnits, amount }, rate, decimals) => {
        const digits = currencyDigits(code)!;
        const atomic = amountForPrice({ amount, rate, spreadBps: 0, decimals });
        const back = minorOf(valueOf(atomic, { rate, decimals, digits }));
        expect(back >= minorUnits).toBe(true);
        const unitWorth = minorOf(valueOf(1n, { rate, decimals, digits }));
        // A unit that is worth less than one minor unit, as of all usual tokens, differs by at most one minor unit.
        expect(back - minorUnits <= (unitWorth === 0n ? 1n : unitWorth + 1n)).toBe(true);
        const isFine =
          exactly(rate).numerator * 10n ** BigInt(digits) <=
          exactly(rate).denominator * 10n ** BigInt(decimals);
        if (isFine) expect(back - minorUnits <= 1n).toBe(true);
      }),
      runs,
    );
  });

  it.each([
    ['a negative amount', -1n, {}, '2^256-1'],
    ['an amount above 2^256-1', maxAmount + 1n, {}, '2^256-1'],
    ['a rate of 0', 1n, { rate: '0' }, 'a rate must be above 0'],
    ['a rate that is not a decimal', 1n, { rate: 'x' }, 'a rate must be a plain decimal'],
    ['negative decimals', 1n, { decimals: -1 }, 'decimals must be'],
    ['negative digits', 1n, { digits: -1 }, 'digits must be'],
    ['a fraction of digits', 1n, { digits: 0.5 }, 'digits must be'],
  ])('throws for %s', (_case, amount, wrong, reason) => {
    const valid = { rate: '1', decimals: 6, digits: 2 };
    expect(() => valueOf(amount, { ...valid, ...wrong })).toThrow(RangeError);
    expect(() => valueOf(amount, { ...valid, ...wrong })).toThrow(reason);
  });
});

describe('splitValue', () => {
  it.each<[string, number, bigint[], string[]]>([
    ['10.00', 2, [1n, 1n, 1n], ['3.33', '3.33', '3.34']],
    ['0.01', 2, [1n, 1n], ['0.00', '0.01']],
    ['100', 0, [1n, 2n], ['33', '67']],
    ['1.000', 3, [0n, 1n, 0n], ['0.000', '1.000', '0.000']],
    ['0', 2, [5n], ['0.00']],
    ['7', 2, [1n], ['7.00']],
    ['49.90', 2, [30_000_000n, 24_239_131n], ['27.59', '22.31']],
  ])('splits %s with %i digits by the weights', (total, digits, weights, parts) => {
    expect(splitValue(total, digits, weights)).toEqual(parts);
  });

  it('returns parts with the whole as their sum, each less than one minor unit from its exact share', () => {
    const someWeights = fc
      .array(fc.bigInt({ min: 0n, max: maxAmount }), { minLength: 1, maxLength: 20 })
      .filter((weights) => weights.some((weight) => weight > 0n));
    const anyTotal = fc.bigInt({ min: 0n, max: 10n ** 18n });
    fc.assert(
      fc.property(anyTotal, anyCode, someWeights, (minorUnits, code, weights) => {
        const digits = currencyDigits(code)!;
        const parts = splitValue(textOf(minorUnits, digits), digits, weights).map(minorOf);
        expect(parts).toHaveLength(weights.length);
        expect(parts.reduce((all, part) => all + part, 0n)).toBe(minorUnits);
        const sum = weights.reduce((all, weight) => all + weight, 0n);
        parts.forEach((part, index) => {
          const share = minorUnits * weights[index]!;
          expect(part >= 0n && (part + 1n) * sum > share && (part - 1n) * sum < share).toBe(true);
        });
      }),
      runs,
    );
  });

  it.each([
    ['weights that are all 0', '1', 2, [0n, 0n], 'at least one weight'],
    ['no weights', '1', 2, [], 'at least one weight'],
    ['a negative weight', '1', 2, [2n, -1n], 'must not be negative'],
    ['a total with too many digits', '1.001', 2, [1n], 'digits may follow the point'],
    ['a negative total', '-1', 2, [1n], 'plain digits'],
    ['negative digits', '1', -1, [1n], 'digits must be'],
    ['digits above a byte', '1', 256, [1n], 'digits must be'],
  ])('throws for %s', (_case, total, digits, weights, reason) => {
    expect(() => splitValue(total, digits, weights)).toThrow(RangeError);
    expect(() => splitValue(total, digits, weights)).toThrow(reason);
  });
});
