export { Uniswap, type UniswapChain, type UniswapOptions } from './uniswap.adapter';
