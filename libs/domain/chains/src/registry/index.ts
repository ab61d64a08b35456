export type { Chain, ChainFamily, Token } from './chain';
export { chains, findChain } from './registry';
export { findToken } from './find-token';
export { unknownChain, unknownToken } from './unknown-name';
