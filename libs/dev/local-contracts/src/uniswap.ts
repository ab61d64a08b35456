import type { UniswapV3Contracts } from '@tollbridge/chains';
import { ZeroAddress, type Signer } from 'ethers';
import { artifact } from './artifacts';
import { Sender } from './sender';

export interface UniswapDeployment extends UniswapV3Contracts {
  /** NonfungiblePositionManager: adds liquidity. */
  positionManager: string;
}

export interface UniswapOptions {
  /** WETH of the chain. */
  wrappedCoin: string;
}

/** The original Uniswap V3 contracts, plus the fee tier of 0.01 % that governance added later. */
export async function deployUniswap(
  signer: Signer,
  { wrappedCoin }: UniswapOptions,
): Promise<UniswapDeployment> {
  const sender = await Sender.of(signer);
  const factory = await sender.create('UniswapV3Factory');
  await sender.call(factory, artifact('UniswapV3Factory').abi, 'enableFeeAmount', [100, 1]);
  // The image renderer of positions and a V2 factory are not needed.
  const [noDescriptor, noFactoryV2] = [ZeroAddress, ZeroAddress];
  const positionManager = await sender.create('NonfungiblePositionManager', [
    factory,
    wrappedCoin,
    noDescriptor,
  ]);
  const quoter = await sender.create('QuoterV2', [factory, wrappedCoin]);
  const router = await sender.create('SwapRouter02', [noFactoryV2, factory, positionManager, wrappedCoin]);
  await sender.mined();
  return { factory, quoter, router, wrappedCoin, positionManager };
}
