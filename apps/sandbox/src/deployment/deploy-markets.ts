import type { SandboxToken } from '@tollbridge/contracts';
import {
  deployAcross,
  deployUniswap,
  openPools,
  type AcrossContracts,
  type UniswapDeployment,
} from '@tollbridge/local-contracts';
import type { Signer } from 'ethers';
import { seedPrices } from '../prices/price-table';

/** Exchange and bridge contracts of a chain. */
export interface Markets {
  uniswapV3: UniswapDeployment;
  across: AcrossContracts;
}

export interface MarketsOptions extends Partial<Markets> {
  tokens: readonly SandboxToken[];
  /** Owner of Across. The relayer refunds itself, while an oracle decides in production. */
  owner: string;
  isThere(contracts: readonly string[]): Promise<boolean>;
}

/** Deploys missing contracts, with pools at the prices of the price table. */
export async function deployMarkets(signer: Signer, options: MarketsOptions): Promise<Markets> {
  const { tokens, owner, isThere } = options;
  const wrappedCoin = tokens.find(({ symbol }) => symbol === 'WETH')!.address!;
  let { uniswapV3, across } = options;
  if (!uniswapV3 || !(await isThere(Object.values(uniswapV3)))) {
    uniswapV3 = await deployUniswap(signer, { wrappedCoin });
    const pooled = tokens.flatMap(({ address, ...token }) => (address ? [{ ...token, address }] : []));
    await openPools(signer, { uniswap: uniswapV3, tokens: pooled, prices: seedPrices });
  }
  if (!across || !(await isThere(Object.values(across))))
    across = await deployAcross(signer, { wrappedCoin, owner });
  return { uniswapV3, across };
}
