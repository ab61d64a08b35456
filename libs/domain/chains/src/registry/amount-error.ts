import type { Chain } from './chain';

/** Why an amount cannot be paid on a chain, as the rest of a sentence about a field; undefined for one that can. */
export function amountError(
  { name, maxAmountAtomic }: Pick<Chain, 'name' | 'maxAmountAtomic'>,
  amountAtomic: bigint,
): string | undefined {
  return amountAtomic > BigInt(maxAmountAtomic)
    ? `is above what a transfer on ${name} carries: at most ${maxAmountAtomic} in the smallest unit`
    : undefined;
}
