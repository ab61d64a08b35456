/** A token as the registry names it. */
export interface PricedToken {
  /** Chain id. */
  chain: string;
  /** null for the coin. */
  address: string | null;
}

export interface Price {
  /** US dollars for one whole token, as a decimal string. */
  usd: string;
  atMs: number;
}

/** A source of prices. Its answer leaves out the tokens that it does not know. */
export interface PriceSource {
  name: string;
  read(tokens: readonly PricedToken[], signal: AbortSignal): Promise<{ token: PricedToken; price: Price }[]>;
}
