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

/** Protocols that read balances of a chain. */
export type BalanceProtocol =
  | 'evm'
  | 'toncenter'
  | 'solana'
  | 'trongrid'
  | 'suiGraphql'
  | 'suiJsonRpc'
  | 'esplora'
  | 'blockbook'
  | 'near'
  | 'horizon'
  | 'rippled'
  | 'starknet'
  | 'koios'
  | 'aptos'
  | 'aleo';

/** A token as a descriptor states it. List one only if two independent public sources agree on its address. */
export interface TokenFacts {
  /** Where a chain has several dollars of one issuer, the one that route providers carry has the plain symbol. */
  readonly symbol: string;
  readonly name: string;
  /** Further symbols of the same token, after it was renamed: requests may use them. */
  readonly otherSymbols?: readonly string[];
  readonly decimals: number;
  /** As the issuer publishes it; null for the chain's own coin. */
  readonly address: string | null;
  /** What exists of a coin, where a transfer could carry more. A decimal text: descriptors are plain JSON. */
  readonly maxAmountAtomic?: string;
}

export interface Token extends TokenFacts {
  /** The largest amount that a transfer carries, in the smallest unit. */
  readonly maxAmountAtomic: string;
  /** Path under the public origin, drawn by `logoSvg`. */
  readonly logo: string;
}

/** A contract that does not pay out again what is transferred to it. */
export interface KnownContract {
  readonly address: string;
  /** Completes "this is …", hence with its article. */
  readonly name: string;
}

/** The contracts of a Uniswap V3 deployment that a swap needs. */
export interface UniswapV3Contracts {
  readonly factory: string;
  /** QuoterV2. */
  readonly quoter: string;
  /** SwapRouter02. */
  readonly router: string;
  /** The token that the router exchanges for the chain's coin. */
  readonly wrappedCoin: string;
}

/** Everything that the product knows of a chain. Each chain is described by one file in `src/chains`. */
export interface Chain {
  /** Exactly as the specification spells it: `eip155:8453`, `ton`, `btc`. */
  readonly id: string;
  readonly caip2: string;
  readonly shortName: string;
  /** Further names that clients and providers use; unique over all chains, case-insensitive. */
  readonly aliases: readonly string[];
  readonly name: string;
  readonly family: ChainFamily;
  /**
   * The specification lists it as a direct chain. Whether this deployment takes payments on it says the adapter
   * registry.
   */
  readonly isDirect: boolean;
  readonly isTestnet: boolean;
  /** EVM only. */
  readonly chainId: number | null;
  /** Blocks, the one with the transaction included, before a payment counts as settled. */
  readonly confirmations: number;
  /** Typical, rounded. Use it for estimates and polling, never for a deadline. */
  readonly blockTimeMs: number;
  readonly nativeSymbol: string;
  /** Shared deposit addresses need a memo, comment or tag to identify the payer. */
  readonly usesMemo: boolean;
  readonly logo: string;
  /** Pays Ethereum for its data: a transaction costs more than its gas. */
  readonly isEthereumRollup: boolean;
  /** `{tx}` stands for the transaction hash. */
  readonly explorerTxUrl: string;
  /** The coin first. */
  readonly tokens: readonly Token[];
  /** An address to request prices with before the payer is known, from the chain's documentation. Never pay to it. */
  readonly sampleAddress: string;
  /** The preferred one first. */
  readonly balanceProtocols: readonly BalanceProtocol[];
  /**
   * What sending the coin costs in a busy hour, and what the chain makes an account retain. Rounded up to a few cents.
   * Null where the cost is read from the chain. A decimal text.
   */
  readonly coinFeeAtomic: string | null;
  /** The chain at 1Click; null where 1Click does not serve it. */
  readonly oneClick: { readonly blockchain: string; readonly depositMode: 'SIMPLE' | 'MEMO' } | null;
  /**
   * The coin's CoinGecko id and the chain's name at DefiLlama, null where tokens have no price; null for test networks.
   */
  readonly defiLlama: { readonly coinId: string; readonly chain: string | null } | null;
  readonly isServedByAcross: boolean;
  /** As Uniswap publishes them; null where Uniswap V3 is not deployed or not used. */
  readonly publishedUniswapV3: UniswapV3Contracts | null;
  /** Contracts of bridges and others that must not receive payments. */
  readonly knownContracts: readonly KnownContract[];
  /** The chain enforces EIP-7825: 2^24 gas per transaction. */
  readonly capsTransactionGas: boolean;
}
