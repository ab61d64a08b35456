import { concat, toBeHex } from 'ethers';

const wholePips = 1_000_000n;

/** Two tokens in any order. All addresses are checksummed. */
export type Pair = readonly [string, string];

export interface Pool {
  feePips: number;
  liquidity: bigint;
}

/** A path from the first token to the last through pools with these fees. */
export interface SwapPath {
  tokens: readonly string[];
  feesPips: readonly number[];
}

/** Returns the same key for both orders of two tokens. */
export const pairKey = ([one, other]: Pair): string => (one < other ? `${one} ${other}` : `${other} ${one}`);

/** Returns the pairs of the direct path and of all two-hop paths. */
export function pairsBetween(from: string, to: string, between: readonly string[]): Pair[] {
  return [
    [from, to],
    ...between.flatMap((middle): Pair[] => [
      [from, middle],
      [middle, to],
    ]),
  ];
}

export function pathsThrough(
  pools: ReadonlyMap<string, readonly Pool[]>,
  [from, to]: Pair,
  between: readonly string[],
): SwapPath[] {
  const poolsOf = (pair: Pair) => pools.get(pairKey(pair)) ?? [];
  const direct = poolsOf([from, to]).map(({ feePips }) => ({ tokens: [from, to], feesPips: [feePips] }));
  const indirect = between.flatMap((middle) =>
    poolsOf([from, middle]).flatMap((first) =>
      poolsOf([middle, to]).map((second) => ({
        tokens: [from, middle, to],
        feesPips: [first.feePips, second.feePips],
      })),
    ),
  );
  return [...direct, ...indirect];
}

/** Encodes a path for the contracts: token, fee in three bytes, token, and so on. */
export function encodePath({ tokens, feesPips }: SwapPath): string {
  return concat(
    tokens.flatMap((token, index) => (index === 0 ? [token] : [toBeHex(feesPips[index - 1]!, 3), token])),
  );
}

/** Returns the pools' fees on the input, rounded up. */
export function poolFeeAtomic({ feesPips }: SwapPath, amountInAtomic: bigint): bigint {
  let rest = amountInAtomic;
  for (const feePips of feesPips) rest = (rest * (wholePips - BigInt(feePips))) / wholePips;
  return amountInAtomic - rest;
}
