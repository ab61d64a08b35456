import { artifact } from '@tollbridge/local-contracts';
import { Interface, solidityPacked } from 'ethers';
import { factoryAbi, poolAbi, quoterAbi, routerAbi } from './uniswap.abi';
import { encodePath, pairKey, pairsBetween, pathsThrough, poolFeeAtomic, type Pool } from './uniswap.paths';

const [one, two, three] = [1, 2, 3].map((digit) => `0x${String(digit).repeat(40)}`) as [
  string,
  string,
  string,
];
const pool = (feePips: number): Pool => ({ feePips, liquidity: 1n });

describe('path', () => {
  it('encodes tokens with three fee bytes between them', () => {
    expect(encodePath({ tokens: [one, two], feesPips: [100] })).toBe(
      solidityPacked(['address', 'uint24', 'address'], [one, 100, two]),
    );
    expect(encodePath({ tokens: [one, two, three], feesPips: [500, 10000] })).toBe(
      solidityPacked(['address', 'uint24', 'address', 'uint24', 'address'], [one, 500, two, 10000, three]),
    );
  });

  it('uses one pool or two through a common token', () => {
    const pools = new Map([
      [pairKey([one, two]), [pool(500), pool(3000)]],
      [pairKey([three, one]), [pool(100)]],
      [pairKey([three, two]), [pool(500), pool(10000)]],
    ]);

    expect(pathsThrough(pools, [one, two], [three])).toEqual([
      { tokens: [one, two], feesPips: [500] },
      { tokens: [one, two], feesPips: [3000] },
      { tokens: [one, three, two], feesPips: [100, 500] },
      { tokens: [one, three, two], feesPips: [100, 10000] },
    ]);
    expect(pathsThrough(new Map(), [one, two], [three])).toEqual([]);
  });

  it('lists the pairs to read', () => {
    expect(pairsBetween(one, two, [three])).toEqual([
      [one, two],
      [one, three],
      [three, two],
    ]);
    expect(pairKey([one, two])).toBe(pairKey([two, one]));
  });

  it.each([
    [[100], 1_000_000n, 100n],
    [[500, 3000], 1_000_000n, 3_499n],
    [[10000], 1n, 1n],
  ])('deducts the fees %p: %d units pay %d', (feesPips, amountInAtomic, feeAtomic) => {
    expect(poolFeeAtomic({ tokens: [], feesPips }, amountInAtomic)).toBe(feeAtomic);
  });
});

describe('Uniswap interfaces', () => {
  it.each([
    ['UniswapV3Factory', factoryAbi],
    ['QuoterV2', quoterAbi],
    ['SwapRouter02', routerAbi],
  ] as const)('declares the same functions as %s', (name, declared) => {
    const published = new Interface(artifact(name).abi);
    for (const fragment of declared.fragments) {
      const text = fragment.format();
      const [inputs, outputs] = [published, declared].map((abi) =>
        abi.getFunction(text)?.outputs.map((it) => it.type),
      );
      expect([text, inputs]).toEqual([text, outputs]);
    }
  });

  it('declares the liquidity of a pool', () => {
    expect(poolAbi.getFunction('liquidity')!.selector).toBe('0x1a686502');
  });
});
