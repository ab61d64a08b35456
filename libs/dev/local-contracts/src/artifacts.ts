import { readFileSync } from 'node:fs';
import type { JsonFragment } from 'ethers';

export interface Artifact {
  abi: readonly JsonFragment[];
  bytecode: string;
}

const uniswap = {
  UniswapV3Factory: '@uniswap/v3-core/artifacts/contracts/UniswapV3Factory.sol',
  NonfungiblePositionManager: '@uniswap/v3-periphery/artifacts/contracts/NonfungiblePositionManager.sol',
  QuoterV2: '@uniswap/v3-periphery/artifacts/contracts/lens/QuoterV2.sol',
  SwapRouter02: '@uniswap/swap-router-contracts/artifacts/contracts/SwapRouter02.sol',
};

const across = {
  Ethereum_SpokePool: '@across-protocol/contracts/dist/evm/artifacts/Ethereum_SpokePool.sol',
  ERC1967Proxy: '@across-protocol/contracts/dist/evm/artifacts/ERC1967Proxy.sol',
  MockPermit2: '@across-protocol/contracts/dist/evm/artifacts/MockPermit2.sol',
  MulticallHandler: '@across-protocol/contracts/dist/evm/artifacts/MulticallHandler.sol',
  SpokePoolPeriphery: '@across-protocol/contracts/dist/evm/artifacts/SpokePoolPeriphery.sol',
};

const folders = { ...uniswap, ...across };

export type ContractName = keyof typeof folders;

/** Loaded on demand: only local nodes need the packages, and production does not install them. */
export function artifact(name: ContractName): Artifact {
  return JSON.parse(readFileSync(require.resolve(`${folders[name]}/${name}.json`), 'utf8')) as Artifact;
}
