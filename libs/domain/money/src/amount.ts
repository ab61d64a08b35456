/** The largest value of an EVM word, and so of any token amount. */
export const maxAmount = 2n ** 256n - 1n;

/**
 * The largest amount of an order, a payment or a payout, in the token's smallest unit. No token of the registry has a
 * supply of 2^128: it is 3.4 * 10^20 whole tokens of 18 decimals.
 */
export const maxTokenAmount = 2n ** 128n - 1n;

// BigInt() alone reads "", " 1 ", "0x10", "+5", "00012" and "-5" as numbers: an amount has exactly one spelling.
const amountForm = /^(0|[1-9][0-9]{0,77})$/;

/** Whether `value` is an amount in a token's smallest unit: canonical decimal digits, at most 2^256 - 1. */
export function isAmountText(value: unknown): value is string {
  return typeof value === 'string' && amountForm.test(value) && BigInt(value) <= maxAmount;
}

/** Reads an amount in the smallest unit; throws a RangeError for any other text. */
export function parseAmount(text: string): bigint {
  if (!isAmountText(text)) {
    throw new RangeError(
      'an amount is a whole number in the smallest unit, written in plain digits without sign, spaces or leading zeros, from 0 to 2^256-1',
    );
  }
  return BigInt(text);
}

/** @throws RangeError for an amount that no token transfer can carry */
export function requireAmount(amount: bigint): void {
  if (amount < 0n || amount > maxAmount) {
    throw new RangeError('an amount must be from 0 to 2^256-1');
  }
}
