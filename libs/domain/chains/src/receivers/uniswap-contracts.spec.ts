import { findChain } from '../registry';
import { getAddress } from 'ethers';
import { publishedUniswap, uniswapOn } from './uniswap-contracts';

describe('the published contracts of Uniswap', () => {
  it.each(Object.entries(publishedUniswap))('are written with their checksums: %s', (id, contracts) => {
    expect(findChain(id)?.family).toBe('evm');
    for (const address of Object.values(contracts)) expect(getAddress(address)).toBe(address);
  });

  it.each(['eip155:1', 'eip155:10', 'eip155:8453', 'eip155:42161', 'eip155:84532'])(
    'wrap the coin of %s in the WETH of the registry',
    (id) => {
      const weth = findChain(id)!.tokens.find(({ symbol }) => symbol === 'WETH');
      expect(publishedUniswap[id]!.wrappedCoin).toBe(weth!.address);
    },
  );

  it('give way to those of the deployment', () => {
    const own = { factory: '0x1', quoter: '0x2', router: '0x3', wrappedCoin: '0x4' };

    expect(uniswapOn({ id: 'eip155:8453', uniswapV3: own })).toBe(own);
    expect(uniswapOn({ id: 'eip155:8453', uniswapV3: null })).toBe(publishedUniswap['eip155:8453']);
    expect(uniswapOn({ id: 'eip155:100', uniswapV3: null })).toBeNull();
  });
});
