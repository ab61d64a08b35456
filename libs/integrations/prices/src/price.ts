/** A token as identified in the registry. */
export interface PricedToken {
  /** Chain id. */
  chain: string;
  /** Null for the coin. */
  address: string | null;
}

export interface Price {
  /** US dollars for one whole token, as a decimal string. */
  usd: string;
  atMs: number;
}

/** A source of prices. Its reply omits unknown tokens. */
export interface PriceSource {
  name: string;
  read(tokens: readonly PricedToken[], signal: AbortSignal): Promise<{ token: PricedToken; price: Price }[]>;
}
