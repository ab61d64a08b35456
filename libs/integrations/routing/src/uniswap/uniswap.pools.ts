import { uniswapFeeTiersPips } from '@tollbridge/chains';
import { type EvmReads } from '@tollbridge/evm';
import { ZeroAddress } from 'ethers';
import { LRUCache } from 'lru-cache';
import { decodeResult, factoryAbi, poolAbi } from './uniswap.abi';
import { pairKey, type Pair, type Pool } from './uniswap.paths';

// New pools are rare, and the quote of an empty pool fails.
const freshMs = 5 * 60_000;
// Of the four fee tiers of a pair, two have nearly all liquidity. More pools would multiply the number of quotes.
const maxPoolsPerPair = 2;
// A few hundred tokens are traded. The limit prevents invented tokens from filling the memory.
const maxPairs = 2_000;

/** The pools of a chain with liquidity, cached for five minutes. */
export class UniswapPools {
  private readonly known: LRUCache<string, readonly Pool[]>;

  constructor(
    private readonly reads: EvmReads,
    private readonly factory: string,
    nowMs: () => number,
  ) {
    this.known = new LRUCache({ max: maxPairs, ttl: freshMs, ttlResolution: 0, perf: { now: nowMs } });
  }

  /** Returns the pools of each pair by `pairKey`, deepest first. */
  async of(pairs: readonly Pair[]): Promise<ReadonlyMap<string, readonly Pool[]>> {
    const cached = new Map(pairs.map(pairKey).map((key) => [key, this.known.get(key)] as const));
    const unknown = pairs.filter((pair) => cached.get(pairKey(pair)) === undefined);
    const found = unknown.length > 0 ? await this.read(unknown) : new Map<string, readonly Pool[]>();
    for (const [key, pools] of found) this.known.set(key, pools);
    return new Map([...cached].map(([key, pools]) => [key, pools ?? found.get(key) ?? []] as const));
  }

  private async read(pairs: readonly Pair[]): Promise<Map<string, readonly Pool[]>> {
    const asked = pairs.flatMap((pair) =>
      uniswapFeeTiersPips.map((feePips) => ({ key: pairKey(pair), pair, feePips })),
    );
    const answers = await this.reads.ethCalls(
      asked.map(({ pair, feePips }) => ({
        to: this.factory,
        data: factoryAbi.encodeFunctionData('getPool', [...pair, feePips]),
      })),
    );
    const existing = asked.flatMap((tier, index) => {
      const [address] = decodeResult(factoryAbi, 'getPool', answers[index] ?? '0x') ?? [];
      return typeof address === 'string' && address !== ZeroAddress ? [{ ...tier, address }] : [];
    });
    const depths = await this.liquidityOf(existing.map(({ address }) => address));
    const found = new Map<string, Pool[]>(pairs.map((pair) => [pairKey(pair), []]));
    for (const [index, { key, feePips }] of existing.entries()) {
      const liquidity = depths[index]!;
      if (liquidity > 0n) found.get(key)!.push({ feePips, liquidity });
    }
    return new Map([...found].map(([key, pools]) => [key, deepest(pools)]));
  }

  private async liquidityOf(pools: readonly string[]): Promise<bigint[]> {
    if (pools.length === 0) return [];
    const data = poolAbi.encodeFunctionData('liquidity');
    const answers = await this.reads.ethCalls(pools.map((to) => ({ to, data })));
    return answers.map((answer) => {
      const [liquidity] = decodeResult(poolAbi, 'liquidity', answer ?? '0x') ?? [];
      return typeof liquidity === 'bigint' ? liquidity : 0n;
    });
  }
}

function deepest(pools: readonly Pool[]): readonly Pool[] {
  return [...pools]
    .sort((one, other) => (one.liquidity > other.liquidity ? -1 : 1))
    .slice(0, maxPoolsPerPair);
}
