import { tokenKey } from '@tollbridge/chains';

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

export interface PricesOptions {
  /** The first one that knows a token prices it; the next is asked for what is left. */
  sources: readonly PriceSource[];
  /** What is priced. */
  tokens: readonly PricedToken[];
  now(): number;
  onFailure?(source: string, error: unknown): void;
}

// A price is fetched for all who ask within this time.
const freshMs = 30_000;
// After a source failed: both may have been started together, and ours was the first to be ready.
const retryMs = 2_000;
// No figure is better than a wrong one.
const maxAgeMs = 10 * 60_000;
const readTimeoutMs = 10_000;

/**
 * Prices of all tokens, fetched in the background and answered at once: nobody waits for a price, and one older than 10
 * minutes is none.
 */
export class Prices {
  private prices: ReadonlyMap<string, Price> = new Map();
  private nextReadAtMs = Number.NEGATIVE_INFINITY;
  private reading: Promise<void> | undefined;

  constructor(private readonly options: PricesOptions) {}

  /** undefined when no source knows the token, or none has told of it for 10 minutes. */
  of(token: PricedToken): Price | undefined {
    if (this.options.now() >= this.nextReadAtMs) void this.refresh();
    const price = this.prices.get(tokenKey(token.chain, token.address));
    return price && this.options.now() - price.atMs <= maxAgeMs ? price : undefined;
  }

  /** Resolves when all sources were asked, one reading at a time; never rejects. */
  refresh(): Promise<void> {
    this.reading ??= this.read().finally(() => (this.reading = undefined));
    return this.reading;
  }

  private async read(): Promise<void> {
    const { sources, tokens, now, onFailure } = this.options;
    this.nextReadAtMs = now() + freshMs;
    const found = new Map<string, Price>();
    let wanted = tokens;
    for (const source of sources) {
      try {
        const prices = await source.read(wanted, AbortSignal.timeout(readTimeoutMs));
        for (const { token, price } of prices) {
          const key = tokenKey(token.chain, token.address);
          // A source whose clock is ahead must not make a price that never gets old.
          const atMs = Math.min(price.atMs, now());
          const isPrice = now() - atMs <= maxAgeMs && !isZero(price.usd);
          if (isPrice && !found.has(key)) found.set(key, { ...price, atMs });
        }
      } catch (error) {
        this.nextReadAtMs = now() + retryMs;
        onFailure?.(source.name, error);
      }
      wanted = wanted.filter((token) => !found.has(tokenKey(token.chain, token.address)));
      if (wanted.length === 0) break;
    }
    // What nobody knows now keeps its last price until that is too old.
    this.prices = new Map([...this.prices, ...found]);
    // Until the first prices are there nobody may ask, and whoever asks first should find some.
    if (this.prices.size === 0 && tokens.length > 0) setTimeout(() => void this.refresh(), retryMs).unref();
  }
}

/** What a source writes that lists a token and has no price of it. */
const isZero = (usd: string): boolean => !/[1-9]/.test(usd);
