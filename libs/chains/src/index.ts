export * from './addresses';
export { encodeCashaddr } from './addresses/codec/cashaddr';
export { crc16 } from './addresses/codec/crc';
export * from './chain-rpc';
export * from './deployments';
export * from './evm';
export * from './logos';
export * from './registry';
export { tokenKey } from './token-key';
