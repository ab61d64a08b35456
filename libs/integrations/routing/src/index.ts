export * from './across';
export * from './cross-chain-routes';
export * from './lifi';
export * from './oneclick';
export * from './swap-router';
export * from './swap-routes';
export * from './uniswap';
