import fc from 'fast-check';
import { maxAmount } from './amount';
import { rateOf } from './rate';

const power = (decimals: number) => 10n ** BigInt(decimals);

describe('rateOf', () => {
  it.each<[string, bigint, number, bigint, number]>([
    ['1', 1_000_000n, 6, 1_000_000n, 6],
    ['1', 1_000_000n, 6, 10n ** 18n, 18],
    ['96500.25', 96_500_250_000n, 6, 100_000_000n, 8],
    ['0.333333333333', 1n, 0, 3n, 0],
    ['0.00000333333333333', 1n, 0, 300_000n, 0],
    ['66666.6666666', 200_000n, 0, 3n, 0],
    ['666666666666', 2_000_000_000_000n, 0, 3n, 0],
    ['6666666666666666', 20_000_000_000_000_000n, 0, 3n, 0],
    ['100', 100n, 0, 1n, 0],
    ['0.000000000000000000000000000001', 1n, 30, 1n, 0],
    ['0', 1n, 31, 1n, 0],
    ['0', 0n, 6, 1n, 6],
    [`1${'0'.repeat(36)}`, 1n, 0, 1n, 36],
    [`${maxAmount}${'0'.repeat(36)}`, maxAmount, 0, 1n, 36],
    ['0', 1n, 36, maxAmount, 0],
  ])('returns %s', (rate, settle, settleDecimals, pay, payDecimals) => {
    expect(rateOf(settle, settleDecimals, pay, payDecimals)).toBe(rate);
  });

  it('returns a plain decimal of at most the exact rate, with 12 exact digits', () => {
    const amount = fc.bigInt({ min: 1n, max: maxAmount });
    const decimals = fc.integer({ min: 0, max: 36 });
    fc.assert(
      fc.property(amount, decimals, amount, decimals, (settle, settleDecimals, pay, payDecimals) => {
        const rate = rateOf(settle, settleDecimals, pay, payDecimals);
        expect(rate).toMatch(/^(0|[1-9][0-9]*)(\.[0-9]{0,29}[1-9])?$/);
        const [whole = '', fraction = ''] = rate.split('.');
        const shown = BigInt(whole + fraction.padEnd(30, '0'));
        const [numerator, denominator] = [settle * power(payDecimals + 30), pay * power(settleDecimals)];
        expect(shown * denominator <= numerator).toBe(true);
        // The difference is less than one unit of the twelfth digit, or of the thirtieth digit after the point.
        const step = shown / power(11) > 1n ? shown / power(11) : 1n;
        expect((shown + step) * denominator > numerator).toBe(true);
      }),
    );
  });
});
