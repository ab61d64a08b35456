export type { KnownContract } from './published-contracts';
export { receiverAddress, type PaidChain } from './receiver-address';
export { publishedUniswap, uniswapFeeTiersPips, uniswapOn } from './uniswap-contracts';
