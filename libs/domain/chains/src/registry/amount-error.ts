import type { Chain, Token } from './chain';

/** Why an amount cannot be paid in a token, as the rest of a sentence about a field. Undefined if it can be paid. */
export function amountError(
  { name }: Pick<Chain, 'name'>,
  { symbol, maxAmountAtomic }: Pick<Token, 'symbol' | 'maxAmountAtomic'>,
  amountAtomic: bigint,
): string | undefined {
  return amountAtomic > BigInt(maxAmountAtomic)
    ? `is above what a transfer of ${symbol} on ${name} carries: at most ${maxAmountAtomic} in the smallest unit`
    : undefined;
}
