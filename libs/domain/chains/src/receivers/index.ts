export { receiverAddress, type PaidChain } from './receiver-address';
export { uniswapFeeTiersPips, uniswapOn } from './uniswap-contracts';
