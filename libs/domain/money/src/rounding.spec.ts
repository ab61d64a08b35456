import fc from 'fast-check';
import { maxAmount, ceilDiv, feeCeil, mulDivCeil, mulDivFloor } from '.';

const anyAmount = fc.bigInt({ min: 0n, max: maxAmount });
const anyDivisor = fc.bigInt({ min: 1n, max: maxAmount });

describe('division of amounts', () => {
  const divided: [bigint, bigint, bigint][] = [
    [0n, 5n, 0n],
    [1n, 5n, 1n],
    [5n, 5n, 1n],
    [6n, 5n, 2n],
    [maxAmount, 1n, maxAmount],
    [1n, maxAmount, 1n],
  ];
  it.each(divided)('ceilDiv(%s, %s) is %s', (dividend, divisor, quotient) => {
    expect(ceilDiv(dividend, divisor)).toBe(quotient);
  });

  it('ceilDiv returns the smallest whole number that is not below the exact quotient', () => {
    fc.assert(
      fc.property(anyAmount, anyDivisor, (dividend, divisor) => {
        const quotient = ceilDiv(dividend, divisor);
        expect(quotient * divisor >= dividend).toBe(true);
        expect((quotient - 1n) * divisor < dividend).toBe(true);
      }),
    );
  });

  it('mulDivFloor and mulDivCeil enclose the exact value and differ by at most one', () => {
    fc.assert(
      fc.property(anyAmount, anyAmount, anyDivisor, (amount, numerator, denominator) => {
        const floor = mulDivFloor(amount, numerator, denominator);
        const ceil = mulDivCeil(amount, numerator, denominator);
        const product = amount * numerator;
        expect(floor * denominator <= product && product <= ceil * denominator).toBe(true);
        expect(ceil - floor).toBe(product % denominator === 0n ? 0n : 1n);
      }),
    );
  });

  it('computes the product of two largest amounts exactly', () => {
    expect(mulDivFloor(maxAmount, maxAmount, maxAmount)).toBe(maxAmount);
    expect(mulDivCeil(maxAmount, maxAmount, maxAmount)).toBe(maxAmount);
  });

  it.each([mulDivFloor, mulDivCeil])('%p throws for negative amounts and divisors below one', (divide) => {
    expect(() => divide(-1n, 1n, 1n)).toThrow('must not be negative');
    expect(() => divide(1n, -1n, 1n)).toThrow('must not be negative');
    expect(() => divide(1n, 1n, 0n)).toThrow('must be above zero');
    expect(() => divide(1n, 1n, -1n)).toThrow('must be above zero');
  });

  it('ceilDiv throws for negative amounts and divisors below one', () => {
    expect(() => ceilDiv(-1n, 1n)).toThrow('must not be negative');
    expect(() => ceilDiv(1n, 0n)).toThrow('must be above zero');
  });
});

describe('feeCeil', () => {
  const fees: [bigint, number, bigint][] = [
    [0n, 50, 0n],
    [1n, 50, 1n],
    [200n, 50, 1n],
    [201n, 50, 2n],
    // 33.33 * 0.005 is 0.16665. With doubles and rounding to cents the result would be 0.16 or 0.17.
    [33_330_000n, 50, 166_650n],
    [10_010n, 50, 51n],
    [1_000_000n, 0, 0n],
    [1_000_000n, 10_000, 1_000_000n],
    [maxAmount, 10_000, maxAmount],
  ];
  it.each(fees)('computes for %s at %i basis points the fee %s', (amount, bps, fee) => {
    expect(feeCeil(amount, bps)).toBe(fee);
  });

  it('computes at least the exact fee and at most the amount, and never less for a larger amount', () => {
    const anyBps = fc.integer({ min: 0, max: 10_000 });
    fc.assert(
      fc.property(anyAmount, anyBps, (amount, bps) => {
        const fee = feeCeil(amount, bps);
        expect(fee * 10_000n >= amount * BigInt(bps)).toBe(true);
        expect(fee <= amount).toBe(true);
        expect(feeCeil(amount + 1n, bps) >= fee).toBe(true);
      }),
    );
  });

  it.each([-1, 0.5, 10_001, NaN, Infinity])('throws for %p basis points', (bps) => {
    expect(() => feeCeil(1n, bps)).toThrow('basis points');
  });
});
