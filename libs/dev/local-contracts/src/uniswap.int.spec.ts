import { deployTestToken, deployUsdc, deployWrappedEther, mined } from '@tollbridge/onchain';
import { startAnvil, type Anvil } from '@tollbridge/testing';
import { Contract, MaxUint256, parseEther, parseUnits, type HDNodeWallet } from 'ethers';
import { artifact } from './artifacts';
import { openPools, type PooledToken } from './pools';
import { deployUniswap, type UniswapDeployment } from './uniswap';

const prices = { USDC: '1', USDT: '1.0002', DAI: '0.9998', WETH: '4200' };

let anvil: Anvil;
let deployer: HDNodeWallet;
let uniswap: UniswapDeployment;
let tokens: Record<'USDC' | 'USDT' | 'DAI' | 'WETH', PooledToken>;

beforeAll(async () => {
  anvil = await startAnvil({ chainId: 8453 });
  deployer = anvil.wallet(0);
  const usdc = await deployUsdc(deployer);
  const usdt = await deployTestToken(deployer, { name: 'Tether', symbol: 'USDT', decimals: 6 });
  const dai = await deployTestToken(deployer, { name: 'Dai', symbol: 'DAI', decimals: 18 });
  const weth = await deployWrappedEther(deployer);
  tokens = {
    USDC: { symbol: 'USDC', address: usdc.address, decimals: 6 },
    USDT: { symbol: 'USDT', address: usdt.address, decimals: 6 },
    DAI: { symbol: 'DAI', address: dai.address, decimals: 18 },
    WETH: { symbol: 'WETH', address: weth.address, decimals: 18 },
  };
  uniswap = await deployUniswap(deployer, { wrappedCoin: weth.address });
  await openPools(deployer, { uniswap, tokens: Object.values(tokens), prices });
});
afterAll(() => anvil.stop());

async function quote(from: PooledToken, to: PooledToken, fee: number, amountIn: bigint): Promise<bigint> {
  const quoter = new Contract(uniswap.quoter, artifact('QuoterV2').abi, anvil.provider);
  const asked = { tokenIn: from.address, tokenOut: to.address, amountIn, fee, sqrtPriceLimitX96: 0n };
  const [amountOut] = await quoter.getFunction('quoteExactInputSingle').staticCall(asked);
  return amountOut as bigint;
}

describe('Uniswap on a local node', () => {
  it.each([
    ['USDC', 'USDT', 100, '1000', '999.69'],
    ['USDC', 'DAI', 100, '1000', '1000.09'],
    ['USDC', 'WETH', 500, '4200', '0.99949'],
    ['USDT', 'WETH', 500, '4200', '0.99969'],
    ['DAI', 'WETH', 3000, '4200', '0.99679'],
    ['WETH', 'USDC', 500, '1', '4197.89'],
  ] as const)('swaps %s for %s at the price less the fee of %s', async (from, to, fee, given, least) => {
    const amountOut = await quote(tokens[from], tokens[to], fee, parseUnits(given, tokens[from].decimals));
    const leastOut = parseUnits(least, tokens[to].decimals);
    expect(amountOut).toBeGreaterThanOrEqual(leastOut);
    expect(amountOut).toBeLessThan(leastOut + leastOut / 10_000n);
  });

  it('changes the price only slightly after a swap of a hundred thousand dollars', async () => {
    const one = await quote(tokens.USDC, tokens.WETH, 500, parseUnits('100', 6));
    const thousand = await quote(tokens.USDC, tokens.WETH, 500, parseUnits('100000', 6));
    expect((one * 1000n - thousand) * 10_000n).toBeLessThan(one * 1000n);
  });

  it('pays out the quoted amount', async () => {
    const payer = anvil.wallet(1);
    const weth = new Contract(
      tokens.WETH.address,
      ['function deposit() payable', 'function approve(address, uint256)'],
      payer,
    );
    await mined(await weth.getFunction('deposit').send({ value: parseEther('1') }));
    await mined(await weth.getFunction('approve').send(uniswap.router, MaxUint256));
    const quoted = await quote(tokens.WETH, tokens.USDC, 500, parseEther('1'));
    const router = new Contract(uniswap.router, artifact('SwapRouter02').abi, payer);
    const swap = {
      tokenIn: tokens.WETH.address,
      tokenOut: tokens.USDC.address,
      fee: 500,
      recipient: payer.address,
      amountIn: parseEther('1'),
      amountOutMinimum: quoted,
      sqrtPriceLimitX96: 0n,
    };
    await mined(await router.getFunction('exactInputSingle').send(swap));

    const usdc = new Contract(
      tokens.USDC.address,
      ['function balanceOf(address) view returns (uint256)'],
      payer,
    );
    expect(await usdc.getFunction('balanceOf').staticCall(payer.address)).toBe(quoted);
  });

  it('rejects a pool with a token that has no price', async () => {
    const pools = [{ tokens: ['USDC', 'BTC'], feePips: 500 }] as const;
    const opening = openPools(deployer, { uniswap, tokens: Object.values(tokens), prices, pools });
    await expect(opening).rejects.toThrow('A pool of BTC needs the token and its price');
  });
});
