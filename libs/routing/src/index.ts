export * from './cross-chain-routes';
