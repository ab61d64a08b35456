import type { Chain, Token } from './chain';

/** Returns why an amount cannot be paid in a token, as the predicate of a sentence; undefined if it can be paid. */
export function amountError(
  { name }: Pick<Chain, 'name'>,
  { symbol, maxAmountAtomic }: Pick<Token, 'symbol' | 'maxAmountAtomic'>,
  amountAtomic: bigint,
): string | undefined {
  return amountAtomic > BigInt(maxAmountAtomic)
    ? `is above what a transfer of ${symbol} on ${name} carries: at most ${maxAmountAtomic} in the smallest unit`
    : undefined;
}
