export { arbDai, baseEther, baseUsdc } from './route-tokens';
export { aSwapQuote } from './swap-quote.builder';
