/** Basis points in one whole: 50 basis points are 0.5%. */
export const bpsPerWhole = 10_000n;

/**
 * Returns `amount * numerator / denominator`, rounded down. It is exact, because bigint does not overflow: unlike
 * on-chain code, the product needs no wider type.
 */
export function mulDivFloor(amount: bigint, numerator: bigint, denominator: bigint): bigint {
  requireOperands(amount, numerator, denominator);
  return (amount * numerator) / denominator;
}

/** Returns `amount * numerator / denominator`, rounded up. */
export function mulDivCeil(amount: bigint, numerator: bigint, denominator: bigint): bigint {
  requireOperands(amount, numerator, denominator);
  return ceilDiv(amount * numerator, denominator);
}

/** Returns `dividend / divisor`, rounded up. */
export function ceilDiv(dividend: bigint, divisor: bigint): bigint {
  requireOperands(dividend, 0n, divisor);
  return dividend === 0n ? 0n : (dividend - 1n) / divisor + 1n;
}

/** Returns the fee of `bps` basis points on `amount`, rounded up in favour of the creditor. */
export function feeCeil(amount: bigint, bps: number): bigint {
  if (!Number.isInteger(bps) || bps < 0 || BigInt(bps) > bpsPerWhole) {
    throw new RangeError('a fee must be a whole number of basis points from 0 to 10000');
  }
  return mulDivCeil(amount, BigInt(bps), bpsPerWhole);
}

// bigint division truncates towards zero, which is neither floor nor ceiling for negative numbers. Negative amounts are
// rejected.
function requireOperands(left: bigint, right: bigint, divisor: bigint): void {
  if (left < 0n || right < 0n) {
    throw new RangeError('amounts must not be negative');
  }
  if (divisor <= 0n) {
    throw new RangeError('the divisor must be above zero');
  }
}
