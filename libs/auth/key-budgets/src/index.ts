export * from './key-spends';
