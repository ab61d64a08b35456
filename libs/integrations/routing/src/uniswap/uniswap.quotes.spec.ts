import { EvmReads } from '@tollbridge/evm';
import { toQuantity } from 'ethers';
import { factoryAbi, poolAbi, quoterAbi } from './uniswap.abi';
import { UniswapPools } from './uniswap.pools';
import { pairKey } from './uniswap.paths';
import { bestOf, priceImpactBps, quotePaths, readQuote } from './uniswap.quotes';

const [factory, quoter, one, two] = ['7', '8', '1', '2'].map((digit) => `0x${digit.repeat(40)}`) as [
  string,
  string,
  string,
  string,
];
const middlePrice = 2n ** 96n;
const path = { tokens: [one, two], feesPips: [500] };

/** A node that answers calls from a function. Null is a revert. */
class ScriptedReads extends EvmReads {
  readonly label = 'scripted';
  readonly batches: number[] = [];

  constructor(private readonly answer: (to: string, data: string) => string | null) {
    super();
  }

  override ethCalls(calls: readonly { to: string; data: string }[]): Promise<(string | null)[]> {
    this.batches.push(calls.length);
    return Promise.resolve(calls.map(({ to, data }) => this.answer(to, data)));
  }

  protected override request(): Promise<never> {
    throw new Error('not asked for');
  }
}

const quoted = (amountOut: bigint, prices = [middlePrice], gas = 90_000n) =>
  quoterAbi.encodeFunctionResult('quoteExactInput', [amountOut, prices, prices.map(() => 1), gas]);

describe('quoter reply', () => {
  it('returns the amount, and the gas of the pool', () => {
    expect(readQuote(quoted(42n))).toEqual({ amountOutAtomic: 42n, poolGasUnits: 90_000n });
  });

  it.each([
    [
      'a pool at its lowest price, which used only part of the input',
      quoted(42n, [middlePrice, 4_295_128_740n]),
    ],
    [
      'a pool at its highest price, which used only part of the input',
      quoted(42n, [1_461_446_703_485_210_103_287_273_052_203_988_822_378_723_970_341n]),
    ],
    ['an output of zero', quoted(0n)],
    ['an address without a contract', '0x'],
    ['something else', toQuantity(1n)],
  ])('returns undefined for %s', (_, bytes) => {
    expect(readQuote(bytes)).toBeUndefined();
  });

  it('quotes all paths in one batch, and returns the best one', async () => {
    const paths = [100, 500, 3000].map((feePips) => ({ ...path, feesPips: [feePips] }));
    const outputs = new Map([
      ['000064', 10n],
      ['0001f4', 30n],
    ]);
    const reads = new ScriptedReads((_, data) => {
      const [bytes] = quoterAbi.decodeFunctionData('quoteExactInput', data);
      const output = outputs.get((bytes as string).slice(42, 48));
      return output ? quoted(output) : null;
    });

    const quotes = await quotePaths(reads, quoter, { paths, amountInAtomic: 5n });

    expect(quotes.map(({ amountOutAtomic }) => amountOutAtomic)).toEqual([10n, 30n]);
    expect(bestOf(quotes)!.path).toBe(paths[1]);
    expect(bestOf([])).toBeUndefined();
    expect(reads.batches).toEqual([3]);
  });
});

describe('price impact', () => {
  const swap = { path, amountInAtomic: 10n ** 9n, poolGasUnits: 0n };

  it.each([
    ['as much', 2n * 10n ** 9n, 0],
    ['a hundredth less', 1_980_000_000n, 100],
    ['a little more, by rounding', 2_000_000_001n, 0],
  ])('compares a swap with a quote of its part: %s', async (_, amountOutAtomic, impactBps) => {
    const reads = new ScriptedReads((_to, data) => {
      const [, amountIn] = quoterAbi.decodeFunctionData('quoteExactInput', data);
      return quoted((amountIn as bigint) * 2n);
    });

    expect(await priceImpactBps(reads, quoter, { ...swap, amountOutAtomic })).toBe(impactBps);
  });

  it('returns null for tiny swaps, and without a quote of the part', async () => {
    const reads = new ScriptedReads(() => null);

    expect(await priceImpactBps(reads, quoter, { ...swap, amountOutAtomic: 150_000n })).toBeNull();
    expect(reads.batches).toEqual([]);
    expect(await priceImpactBps(reads, quoter, { ...swap, amountOutAtomic: 10n ** 9n })).toBeNull();
  });
});

describe('UniswapPools', () => {
  const depths = new Map([
    [100, 5n],
    [500, 50n],
    [3000, 0n],
    [10000, 500n],
  ]);
  const poolOf = (feePips: number) => `0x${String(feePips).padStart(40, '0')}`;
  const scripted = () =>
    new ScriptedReads((to, data) => {
      if (to !== factory)
        return poolAbi.encodeFunctionResult('liquidity', [depths.get(Number(to.slice(2)))!]);
      const [, , feePips] = factoryAbi.decodeFunctionData('getPool', data);
      return factoryAbi.encodeFunctionResult('getPool', [poolOf(Number(feePips))]);
    });

  it('returns the two deepest pools of a pair, read in two batches and cached for five minutes', async () => {
    const reads = scripted();
    // LRUCache treats a time of 0 as no expiry.
    let nowMs = 1;
    const pools = new UniswapPools(reads, factory, () => nowMs);
    const found = [
      { feePips: 10000, liquidity: 500n },
      { feePips: 500, liquidity: 50n },
    ];

    expect((await pools.of([[one, two]])).get(pairKey([two, one]))).toEqual(found);
    expect(reads.batches).toEqual([4, 4]);

    nowMs = 4 * 60_000;
    expect((await pools.of([[two, one]])).get(pairKey([one, two]))).toEqual(found);
    expect(reads.batches).toHaveLength(2);

    nowMs = 6 * 60_000;
    await pools.of([[one, two]]);
    expect(reads.batches).toHaveLength(4);
  });

  it('returns no pools if the factory lists none or its call fails', async () => {
    const none = factoryAbi.encodeFunctionResult('getPool', [`0x${'0'.repeat(40)}`]);
    for (const answer of [none, null, '0x']) {
      const reads = new ScriptedReads(() => answer);
      const pools = new UniswapPools(reads, factory, () => 0);
      expect((await pools.of([[one, two]])).get(pairKey([one, two]))).toEqual([]);
      expect(reads.batches).toEqual([4]);
    }
  });
});
