export { Uniswap, type UniswapChain, type UniswapOptions } from './uniswap.adapter';
export { publishedUniswap, uniswapOn } from './uniswap.contracts';
