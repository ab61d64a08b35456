import { loadEvmChains } from '@tollbridge/chains';
import { startAnvil, type Anvil } from '@tollbridge/testing';
import { Contract, formatUnits, parseUnits } from 'ethers';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { seedPrices } from '../prices/price-table';
import { toChainsFile, deployLocalChains, type EarlierDeployment } from './deploy-chains';
import { solverOf, writePrivateFile, type LocalDeployment, type DeployedChain } from './local-deployment';

const quoterAbi = [
  'function quoteExactInputSingle((address tokenIn, address tokenOut, uint256 amountIn, uint24 fee, ' +
    'uint160 sqrtPriceLimitX96) params) returns (uint256, uint160, uint32, uint256)',
];
const ownerAbi = ['function owner() view returns (address)'];

const folder = mkdtempSync(join(tmpdir(), 'tollbridge-deployment-'));
let nodes: Anvil[];
let deployment: LocalDeployment;

beforeAll(async () => {
  nodes = await Promise.all([8453, 42161].map((chainId) => startAnvil({ chainId })));
  deployment = await deployLocalChains(places(), undefined);
});
afterAll(async () => {
  await Promise.all(nodes.map((node) => node.stop()));
  rmSync(folder, { recursive: true });
});

const places = () => nodes.map(({ url }, index) => ({ chainId: [8453, 42161][index]!, rpcUrl: url }));
const counts = () =>
  Promise.all(nodes.map((node) => node.provider.getTransactionCount(node.wallet(9).address)));

async function dollarsFor(chain: DeployedChain, node: Anvil, [from, to]: [string, string], feePips: number) {
  const [tokenIn, tokenOut] = [from, to].map((symbol) => chain.tokens.find((it) => it.symbol === symbol)!);
  // An amount worth 100 dollars.
  const given = 100 / Number(seedPrices[from]);
  const asked = {
    tokenIn: tokenIn!.address,
    tokenOut: tokenOut!.address,
    fee: feePips,
    sqrtPriceLimitX96: 0n,
    amountIn: parseUnits(given.toFixed(tokenIn!.decimals), tokenIn!.decimals),
  };
  const quoter = new Contract(chain.uniswapV3.quoter, quoterAbi, node.provider);
  const [amountOut] = await quoter.getFunction('quoteExactInputSingle').staticCall(asked);
  return Number(formatUnits(amountOut as bigint, tokenOut!.decimals)) * Number(seedPrices[to]);
}

describe('Local deployment', () => {
  it.each<[string, string, number]>([
    ['USDC', 'USDT', 100],
    ['DAI', 'USDC', 100],
    ['USDC', 'WETH', 500],
    ['WETH', 'USDT', 500],
    ['DAI', 'WETH', 3000],
  ])('swaps %s to %s at the price table minus the fee of %d', async (from, to, feePips) => {
    for (const [index, chain] of deployment.chains.entries()) {
      const dollars = await dollarsFor(chain, nodes[index]!, [from, to], feePips);
      const lost = 100 - dollars;
      expect(lost).toBeGreaterThan(feePips / 10_000 - 0.001);
      expect(lost).toBeLessThan(feePips / 10_000 + 0.001);
    }
  });

  it('makes the solver the owner of the bridge on both chains', async () => {
    for (const [index, { across }] of deployment.chains.entries()) {
      const pool = new Contract(across.spokePool, ownerAbi, nodes[index]!.provider);
      expect(await pool.getFunction('owner').staticCall()).toBe(solverOf(deployment).address);
      for (const address of Object.values(across))
        expect(await nodes[index]!.provider.getCode(address)).not.toBe('0x');
    }
  });

  it('lists the Uniswap contracts in the file of the services', () => {
    const path = join(folder, 'chains.json');
    writePrivateFile(path, toChainsFile(deployment));
    const { factory, quoter, router, wrappedCoin } = deployment.chains[0]!.uniswapV3;
    const weth = deployment.chains[0]!.tokens.find(({ symbol }) => symbol === 'WETH')!.address;

    expect(loadEvmChains(path)[0]!.uniswapV3).toEqual({ factory, quoter, router, wrappedCoin });
    expect(wrappedCoin).toBe(weth);
  });

  it('does not change when deployed again', async () => {
    const before = await counts();

    expect(await deployLocalChains(places(), deployment)).toEqual(deployment);
    expect(await counts()).toEqual(before);
  });

  it('adds contracts that an earlier version did not deploy, and leaves the existing ones', async () => {
    const earlier: EarlierDeployment = {
      ...deployment,
      chains: deployment.chains.map(({ caip2, chainId, rpcUrl, payContract, tokens }) => {
        return { caip2, chainId, rpcUrl, payContract, tokens };
      }),
    };

    const upgraded = await deployLocalChains(places(), earlier);

    for (const [index, chain] of upgraded.chains.entries()) {
      const { uniswapV3, across, payoutContract, ...existing } = chain;
      expect(existing).toEqual(earlier.chains[index]);
      for (const address of [payoutContract, ...Object.values(uniswapV3), ...Object.values(across)])
        expect(await nodes[index]!.provider.getCode(address)).not.toBe('0x');
      expect(uniswapV3.factory).not.toBe(deployment.chains[index]!.uniswapV3.factory);
    }
  });
});
