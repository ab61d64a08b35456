export * from './cross-chain-routes';
export * from './oneclick';
