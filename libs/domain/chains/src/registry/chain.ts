/** How addresses of a chain are written and checked. One family may serve many chains. */
export type ChainFamily =
  | 'evm'
  | 'ton'
  | 'solana'
  | 'tron'
  | 'sui'
  | 'utxo'
  | 'near'
  | 'stellar'
  | 'starknet'
  | 'cardano'
  | 'aleo'
  | 'xrp'
  | 'aptos';

export interface Token {
  readonly symbol: string;
  readonly name: string;
  readonly decimals: number;
  /** As the issuer publishes it; null for the chain's own coin. */
  readonly address: string | null;
  /** Path under the public origin, drawn by `logoSvg`. */
  readonly logo: string;
}

export interface Chain {
  /** Exactly as the specification spells it: `eip155:8453`, `ton`, `btc`. */
  readonly id: string;
  readonly caip2: string;
  readonly shortName: string;
  /** Further names that callers and providers use; unique over all chains, whatever the case. */
  readonly aliases: readonly string[];
  readonly name: string;
  readonly family: ChainFamily;
  /** A payment contract is deployed and the payer's wallet calls it. */
  readonly isDirect: boolean;
  readonly isTestnet: boolean;
  /** EVM only. */
  readonly chainId: number | null;
  /** Blocks, the one with the transaction included, before a payment counts as settled. */
  readonly confirmations: number;
  /** Typical, rounded: for estimates and polling, never for a deadline. */
  readonly blockTimeMs: number;
  readonly nativeSymbol: string;
  /** Shared deposit addresses need a memo, comment or tag to tell payers apart. */
  readonly usesMemo: boolean;
  readonly logo: string;
  /** `{tx}` stands for the transaction hash. */
  readonly explorerTxUrl: string;
  readonly tokens: readonly Token[];
}
