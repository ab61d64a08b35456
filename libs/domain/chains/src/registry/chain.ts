/** Families of chains that share an address format. One family may contain many chains. */
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

/** A token in a descriptor. Add one only if two independent public sources agree on its address. */
export interface TokenFacts {
  /**
   * If a chain has several dollar tokens of one issuer, the token that route providers support has the plain symbol.
   */
  readonly symbol: string;
  readonly name: string;
  /** Former or new symbols of a renamed token, which requests may use. */
  readonly otherSymbols?: readonly string[];
  readonly decimals: number;
  /** Address as the issuer publishes it; null for the chain's own coin. */
  readonly address: string | null;
  /**
   * Total supply, for coins with a supply below the transfer limit. It is a decimal text, because descriptors are plain
   * JSON.
   */
  readonly maxAmountAtomic?: string;
}

export interface Token extends TokenFacts {
  /** Maximum amount of a transfer, in the smallest unit. */
  readonly maxAmountAtomic: string;
  /** Path below the public URL; the logo is drawn by `logoSvg`. */
  readonly logo: string;
}

/** A contract that never pays out the transfers it receives. */
export interface KnownContract {
  readonly address: string;
  /** Completes "this is …", so it includes the article. */
  readonly name: string;
}

/** Contracts of a Uniswap V3 deployment for a swap. */
export interface UniswapV3Contracts {
  readonly factory: string;
  /** QuoterV2. */
  readonly quoter: string;
  /** SwapRouter02. */
  readonly router: string;
  /** Token that the router exchanges for the chain's coin. */
  readonly wrappedCoin: string;
}

/** All facts of a chain. Each chain has one file in `src/chains`. */
export interface Chain {
  /** Id exactly as in the specification: `eip155:8453`, `ton`, `btc`. */
  readonly id: string;
  readonly caip2: string;
  readonly shortName: string;
  /** Further names of clients and providers; unique over all chains, case-insensitive. */
  readonly aliases: readonly string[];
  readonly name: string;
  readonly family: ChainFamily;
  /**
   * Whether the specification lists it as a direct chain. The adapter registry determines whether this deployment
   * accepts payments on it.
   */
  readonly isDirect: boolean;
  readonly isTestnet: boolean;
  /** EVM chain id; null for other families. */
  readonly chainId: number | null;
  /** Blocks, including the block with the transaction, before a payment counts as settled. */
  readonly confirmations: number;
  /** Typical block time, rounded. Use it for estimates and polling, never for a deadline. */
  readonly blockTimeMs: number;
  readonly nativeSymbol: string;
  /** Whether shared deposit addresses need a memo, comment or tag to identify the payer. */
  readonly usesMemo: boolean;
  readonly logo: string;
  /** Whether the chain pays Ethereum for its data, so that a transaction costs more than its gas. */
  readonly isEthereumRollup: boolean;
  /** Explorer page of a transaction, with `{tx}` for the hash. */
  readonly explorerTxUrl: string;
  /** Tokens, the coin first. */
  readonly tokens: readonly Token[];
  /** Address for price requests before the payer is known, from the chain's documentation. Never pay to it. */
  readonly sampleAddress: string;
  /** Balance protocols, the preferred one first. */
  readonly balanceProtocols: readonly BalanceProtocol[];
  /**
   * Cost of sending the coin in a busy hour, plus the minimum balance of an account. Rounded up to a few cents. A
   * decimal text; null if the cost is read from the chain.
   */
  readonly coinFeeAtomic: string | null;
  /** The chain at 1Click; null if 1Click does not support it. */
  readonly oneClick: { readonly blockchain: string; readonly depositMode: 'SIMPLE' | 'MEMO' } | null;
  /**
   * CoinGecko id of the coin, and DefiLlama's name of the chain (null if its tokens have no price). Null for test
   * networks.
   */
  readonly defiLlama: { readonly coinId: string; readonly chain: string | null } | null;
  readonly isServedByAcross: boolean;
  /** Contracts that Uniswap publishes; null if Uniswap V3 is not deployed or not used. */
  readonly publishedUniswapV3: UniswapV3Contracts | null;
  /** Contracts of bridges and other services that must not receive payments. */
  readonly knownContracts: readonly KnownContract[];
  /** Whether the chain enforces EIP-7825: at most 2^24 gas per transaction. */
  readonly capsTransactionGas: boolean;
}
