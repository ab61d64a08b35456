export type {
  BalanceProtocol,
  Chain,
  ChainFamily,
  KnownContract,
  Token,
  TokenFacts,
  UniswapV3Contracts,
} from './chain';
export { chains, findChain } from './registry';
export { amountError } from './amount-error';
export { reorgWindow } from './reorg-window';
export { findToken } from './find-token';
export { pegOf } from './peg';
export { unknownChain, unknownToken } from './unknown-name';
