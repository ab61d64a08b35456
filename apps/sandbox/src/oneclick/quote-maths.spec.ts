import fc from 'fast-check';
import { seedPrices } from '../prices/price-table';
import {
  amountWorth,
  inputFor,
  isWorthMore,
  outputFor,
  quotedAmounts,
  usdText,
  type SwapTerms,
} from './quote-maths';

const priced = fc.record({
  decimals: fc.integer({ min: 0, max: 24 }),
  usd: fc.oneof(
    fc.constantFrom(...Object.values(seedPrices)),
    fc.constantFrom('0.000000000001', '9999999.999999999999'),
  ),
});
const terms: fc.Arbitrary<SwapTerms> = fc.record({
  from: priced,
  to: priced,
  appFeeBps: fc.integer({ min: 0, max: 1_000 }),
  withdrawFeeAtomic: fc.bigInt({ min: 0n, max: 10n ** 20n }),
});
const amount = fc.bigInt({ min: 1n, max: 10n ** 30n });
const slippage = fc.integer({ min: 0, max: 10_000 });

/** Whether an input covers an output and all its costs, in exact fractions. */
function paysFor(
  inAtomic: bigint,
  outAtomic: bigint,
  { from, to, appFeeBps, withdrawFeeAtomic }: SwapTerms,
): boolean {
  const scaled = (usd: string) =>
    BigInt(usd.replace('.', '').padEnd(usd.includes('.') ? 0 : usd.length, '0'));
  const places = (usd: string) => BigInt(usd.split('.')[1]?.length ?? 0);
  const given =
    inAtomic * scaled(from.usd) * 10n ** (places(to.usd) + BigInt(to.decimals)) * 10_000n * 10_000n;
  const taken =
    (outAtomic + withdrawFeeAtomic) *
    scaled(to.usd) *
    10n ** (places(from.usd) + BigInt(from.decimals)) *
    10_010n *
    BigInt(10_000 + appFeeBps);
  return given >= taken;
}

describe('inputFor', () => {
  it('never collects less than the costs, and never much more', () => {
    fc.assert(
      fc.property(amount, terms, (out, given) => {
        const input = inputFor(out, given);
        expect(paysFor(input, out, given)).toBe(true);
        // Tolerates three roundings with the fees on them.
        expect(input <= 4n || !paysFor(input - 4n, out, given)).toBe(true);
      }),
    );
  });

  it('grows with the output', () => {
    fc.assert(
      fc.property(amount, amount, terms, (out, more, given) => {
        expect(inputFor(out + more, given)).toBeGreaterThanOrEqual(inputFor(out, given));
      }),
    );
  });
});

describe('outputFor', () => {
  it('never delivers more than was paid for', () => {
    fc.assert(
      fc.property(amount, terms, (input, given) => {
        const out = outputFor(input, given);
        if (out > 0n) expect(inputFor(out, given)).toBeLessThanOrEqual(input);
      }),
    );
  });
});

describe('quotedAmounts', () => {
  it('fixes the output, and adds the slippage to the input', () => {
    fc.assert(
      fc.property(amount, slippage, terms, (out, bps, given) => {
        const quoted = quotedAmounts('EXACT_OUTPUT', out, bps, given);
        expect([quoted.amountOutAtomic, quoted.minAmountOutAtomic]).toEqual([out, out]);
        expect(quoted.minAmountInAtomic).toBe(inputFor(out, given));
        const buffer = quoted.amountInAtomic - quoted.minAmountInAtomic;
        expect(buffer * 10_000n).toBeGreaterThanOrEqual(quoted.minAmountInAtomic * BigInt(bps));
      }),
    );
  });

  it('fixes the input, and subtracts the slippage from the output', () => {
    fc.assert(
      fc.property(amount, slippage, terms, (input, bps, given) => {
        const quoted = quotedAmounts('EXACT_INPUT', input, bps, given);
        expect([quoted.amountInAtomic, quoted.minAmountInAtomic]).toEqual([input, input]);
        expect(quoted.minAmountOutAtomic).toBeLessThanOrEqual(quoted.amountOutAtomic);
      }),
    );
  });

  it('matches a manual calculation', () => {
    const usdc = { decimals: 6, usd: '1' };
    const weth = { decimals: 18, usd: '4000' };
    const given = { from: weth, to: usdc, appFeeBps: 50, withdrawFeeAtomic: 10_000n };
    // 40.00 plus 0.01 for the delivery, 0.1 % spread and 0.5 % fee, then 1 % slippage.
    expect(quotedAmounts('EXACT_OUTPUT', 40_000_000n, 100, given)).toEqual({
      amountOutAtomic: 40_000_000n,
      minAmountOutAtomic: 40_000_000n,
      minAmountInAtomic: 10_062_565_012_500_000n,
      amountInAtomic: 10_163_190_662_625_000n,
    });
  });
});

it('formats dollars with twelve decimals, and finds amounts with that value', () => {
  const eth = { decimals: 18, usd: '4200.5' };
  expect(usdText(10n ** 18n, eth)).toBe('4200.500000000000');
  expect(usdText(1n, eth)).toBe('0.000000000000');
  expect(amountWorth('4200.5', eth)).toBe(10n ** 18n);
  expect(amountWorth('0.05', { decimals: 6, usd: '1' })).toBe(50_000n);
  expect(isWorthMore(10n ** 18n, eth, '4200.5')).toBe(false);
  expect(isWorthMore(10n ** 18n + 10n ** 15n, eth, '4200.5')).toBe(true);
});
