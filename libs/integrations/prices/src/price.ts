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

/** Where prices come from. It answers what it knows of what it is asked; what it does not know is absent. */
export interface PriceSource {
  name: string;
  read(tokens: readonly PricedToken[], signal: AbortSignal): Promise<{ token: PricedToken; price: Price }[]>;
}
