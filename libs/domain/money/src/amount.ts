/** The maximum value of an EVM word, and therefore of any token amount. */
export const maxAmount = 2n ** 256n - 1n;

/**
 * The maximum amount of an order, a payment or a payout, in the token's smallest unit. The supply of every token in the
 * registry is below 2^128, which is 3.4 * 10^20 whole tokens of 18 decimals.
 */
export const maxTokenAmount = 2n ** 128n - 1n;

// BigInt() also accepts "", " 1 ", "0x10", "+5", "00012" and "-5", but an amount has exactly one spelling.
const amountForm = /^(0|[1-9][0-9]{0,77})$/;

/** Whether `value` is an amount in a token's smallest unit: canonical decimal digits, at most 2^256 - 1. */
export function isAmountText(value: unknown): value is string {
  return typeof value === 'string' && amountForm.test(value) && BigInt(value) <= maxAmount;
}

/** Parses an amount in the smallest unit. @throws RangeError for any other text */
export function parseAmount(text: string): bigint {
  if (!isAmountText(text)) {
    throw new RangeError(
      'an amount is a whole number in the smallest unit, written in plain digits without sign, spaces or leading zeros, from 0 to 2^256-1',
    );
  }
  return BigInt(text);
}

/** @throws RangeError for an amount outside of the range of token transfers */
export function requireAmount(amount: bigint): void {
  if (amount < 0n || amount > maxAmount) {
    throw new RangeError('an amount must be from 0 to 2^256-1');
  }
}
