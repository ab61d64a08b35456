export * from './key-text';
