export { deployAcross, type AcrossContracts, type AcrossOptions } from './across';
export { multicallInstructions, spokePoolAbi, spokePoolPeripheryAbi } from './across-abi';
export { artifact, type Artifact, type ContractName } from './artifacts';
export { defaultPools, openPools, type PooledToken, type PoolPlan, type PoolsOptions } from './pools';
export { deploymentGas } from './sender';
export { deployUniswap, type UniswapDeployment, type UniswapOptions } from './uniswap';
