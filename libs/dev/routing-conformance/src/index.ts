export { describeCrossChainRoutes, type RoutesHarness } from './cross-chain-routes';
export { describeSentSwaps, describeSwapRoutes, type SentSwap, type SwapHarness } from './swap-routes';
