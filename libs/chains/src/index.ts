export * from './addresses';
export * from './deployments';
export * from './evm';
export * from './logos';
export * from './registry';
export { tokenKey } from './token-key';
