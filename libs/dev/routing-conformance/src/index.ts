export { describeCrossChainRoutes, type RoutesWorld } from './cross-chain-routes';
export { describeSentSwaps, describeSwapRoutes, type SentSwap, type SwapWorld } from './swap-routes';
