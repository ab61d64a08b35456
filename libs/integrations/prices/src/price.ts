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

/** The last price of a token, with the price that conversions of money may rely on. */
export interface KeptPrice extends Price {
  /** Name of the source; null for a price that was stored before sources were recorded. */
  source: string | null;
  /** The last price that moved at most the bound, or that a second source confirmed. */
  agreed: Price;
}

/** A source of prices. Its reply omits unknown tokens. */
export interface PriceSource {
  name: string;
  read(tokens: readonly PricedToken[], signal: AbortSignal): Promise<{ token: PricedToken; price: Price }[]>;
}
