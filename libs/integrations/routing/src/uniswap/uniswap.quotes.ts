import type { EvmReads } from '@tollbridge/evm';
import { decodeResult, quoterAbi } from './uniswap.abi';
import { encodePath, type SwapPath } from './uniswap.paths';

export interface PathQuote {
  path: SwapPath;
  amountOutAtomic: bigint;
  /** Gas of the pools only, from the quoter. */
  poolGasUnits: bigint;
}

// A pool without liquidity stops at this price and uses only part of the input.
const lowestSqrtPrice = 4_295_128_740n;
const highestSqrtPrice = 1_461_446_703_485_210_103_287_273_052_203_988_822_378_723_970_341n;

// The part must be small compared with the swap, but large enough to hide rounding. A rounding error of one unit in
// 100,000 is a tenth of a basis point.
const smallestShare = 1_000n;
const leastUnits = 100_000n;
const wholeBps = 10_000n;

/** Quotes all paths by QuoterV2 in one batch. Omits paths that cannot use the whole amount. */
export async function quotePaths(
  reads: EvmReads,
  quoter: string,
  { paths, amountInAtomic }: { paths: readonly SwapPath[]; amountInAtomic: bigint },
): Promise<PathQuote[]> {
  const answers = await reads.ethCalls(
    paths.map((path) => ({
      to: quoter,
      data: quoterAbi.encodeFunctionData('quoteExactInput', [encodePath(path), amountInAtomic]),
    })),
  );
  return paths.flatMap((path, index) => {
    const quote = readQuote(answers[index] ?? '0x');
    return quote ? [{ path, ...quote }] : [];
  });
}

export function bestOf(quotes: readonly PathQuote[]): PathQuote | undefined {
  return quotes.reduce<PathQuote | undefined>(
    (best, quote) => (best && best.amountOutAtomic >= quote.amountOutAtomic ? best : quote),
    undefined,
  );
}

/**
 * Returns the price impact: how much less the swap delivers than its small parts would. Null for a swap that is too
 * small to measure.
 */
export async function priceImpactBps(
  reads: EvmReads,
  quoter: string,
  { path, amountInAtomic, amountOutAtomic }: { amountInAtomic: bigint } & PathQuote,
): Promise<number | null> {
  const parts = [smallestShare, amountInAtomic / leastUnits, amountOutAtomic / leastUnits].reduce(
    (least, it) => (it < least ? it : least),
  );
  if (parts < 2n) return null;
  const small = amountInAtomic / parts;
  const [quote] = await quotePaths(reads, quoter, { paths: [path], amountInAtomic: small });
  if (!quote) return null;
  const expected = quote.amountOutAtomic * amountInAtomic;
  const missing = expected - amountOutAtomic * small;
  return missing > 0n ? Number((missing * wholeBps) / expected) : 0;
}

export function readQuote(bytes: string): Omit<PathQuote, 'path'> | undefined {
  const [amountOutAtomic, pricesAfter, , poolGasUnits] =
    (decodeResult(quoterAbi, 'quoteExactInput', bytes) as [bigint, bigint[], unknown, bigint] | undefined) ??
    [];
  if (!amountOutAtomic || !pricesAfter || poolGasUnits === undefined) return undefined;
  const isEmptied = pricesAfter.some((price) => price <= lowestSqrtPrice || price >= highestSqrtPrice);
  return isEmptied ? undefined : { amountOutAtomic, poolGasUnits };
}
