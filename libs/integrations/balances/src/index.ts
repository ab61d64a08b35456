export {
  Balances,
  type FoundBalances,
  type OpenedSource,
  type ReadOptions,
  type SkippedWallet,
  type Wallet,
} from './balances';
export type { BalanceReader, Holding, PaymentKind } from './holding';
export { ReadFailure } from './read-failure';
export { loadBalanceSources } from './sources/load-balance-sources';
export { sourceKindsOf, type BalanceSource, type SourceKind } from './sources/source-kinds';
