export * from './addresses';
export { encodeCashaddr } from './addresses/codec/cashaddr';
export { crc16 } from './addresses/codec/crc';
export * from './deployments';
export * from './logos';
export * from './receivers';
export * from './registry';
export * from './transfers';
export { findTokenAt, tokenKey } from './token-key';
