import { getAddress } from 'ethers';
import { chains, findChain } from '../registry';
import { uniswapOn } from './uniswap-contracts';

const published = chains.flatMap(({ id, family, publishedUniswapV3: contracts }) =>
  contracts ? [{ id, family, contracts }] : [],
);

describe('publishedUniswapV3', () => {
  it('lists the eight chains where Uniswap publishes its contracts', () => {
    expect(published.map(({ id }) => id).sort()).toEqual(
      [1, 10, 137, 42161, 8453, 56, 43114, 84532].map((number) => `eip155:${number}`).sort(),
    );
  });

  it.each(published)('lists checksummed addresses on $id, an EVM chain', ({ family, contracts }) => {
    expect(family).toBe('evm');
    for (const address of Object.values(contracts)) expect(getAddress(address)).toBe(address);
  });

  it.each(['eip155:1', 'eip155:10', 'eip155:8453', 'eip155:42161', 'eip155:84532'])(
    'uses the WETH of the registry as the wrapped coin of %s',
    (id) => {
      const chain = findChain(id)!;
      const weth = chain.tokens.find(({ symbol }) => symbol === 'WETH');
      expect(chain.publishedUniswapV3!.wrappedCoin).toBe(weth!.address);
    },
  );
});

describe('uniswapOn', () => {
  const base = findChain('base')!;

  it('prefers the contracts of the deployment to the published ones', () => {
    const own = { factory: '0x1', quoter: '0x2', router: '0x3', wrappedCoin: '0x4' };

    expect(uniswapOn({ ...base, uniswapV3: own })).toBe(own);
    expect(uniswapOn({ ...base, uniswapV3: null })).toBe(base.publishedUniswapV3);
  });

  it('returns null where Uniswap V3 is not deployed', () => {
    expect(uniswapOn({ ...findChain('gnosis')!, uniswapV3: null })).toBeNull();
  });
});
