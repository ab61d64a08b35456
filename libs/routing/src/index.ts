export * from './cross-chain-routes';
export * from './oneclick';
export * from './swap-routes';
export * from './uniswap';
