import { tokenKey } from '@tollbridge/chains';
import type { Reading, SharedPrices } from './shared-prices';

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
  /** What all replicas know; without it each process reads for itself. */
  shared?: SharedPrices;
  /** @param source its name, or `database` when the shared prices could not be had */
  onFailure?(source: string, error: unknown): void;
  /** After each look: how old the oldest price of a token is, or that there is none. */
  onAge?(oldestMs: number | undefined): void;
}

// Whoever asks finds prices that were read within this time, or has them read.
const freshMs = 30_000;
// After a source failed: both may have been started together, and ours was the first to be ready.
const retryMs = 2_000;
/** A price that is older is none: no figure is better than a wrong one. */
export const maxPriceAgeMs = 10 * 60_000;
const readTimeoutMs = 10_000;
// Replicas measure the database's clock, each for itself.
const clockSkewMs = 1_000;
// A replica that does not read sees within this part of the interval what another has read.
const looksPerInterval = 4;

/**
 * Prices of all tokens, fetched in the background and answered at once: nobody waits for a price, and one older than 10
 * minutes is none.
 */
export class Prices {
  private prices: ReadonlyMap<string, Price> = new Map();
  private nextReadAtMs = Number.NEGATIVE_INFINITY;
  private reading: Promise<void> | undefined;
  private looking: NodeJS.Timeout | undefined;
  private failedLooks = 0;
  private readonly stopping = new AbortController();

  constructor(private readonly options: PricesOptions) {}

  /** undefined when no source knows the token, or none has told of it for 10 minutes. */
  of(token: PricedToken): Price | undefined {
    if (this.options.now() >= this.nextReadAtMs) void this.refresh();
    return this.known(token);
  }

  /** The same, without having anything read. */
  known(token: PricedToken): Price | undefined {
    const price = this.prices.get(tokenKey(token.chain, token.address));
    return price && this.options.now() - price.atMs <= maxPriceAgeMs ? price : undefined;
  }

  /**
   * Has prices read before anybody asks, by one replica for all. Resolves when what is shared is known here; never rejects.
   * @param everyMs how often they are read; 0 leaves it to who asks
   */
  async start(everyMs: number): Promise<void> {
    if (this.options.sources.length === 0) return;
    await this.options.shared
      ?.load()
      .then((prices) => this.know(prices))
      .catch((error: unknown) => this.fail('database', error));
    if (everyMs > 0) void this.look(everyMs);
    else void this.refresh();
  }

  /** Gives up the reading under way, and resolves when that is over. */
  async stop(): Promise<void> {
    this.stopping.abort();
    clearTimeout(this.looking);
    await this.reading;
  }

  /** Resolves when all sources were asked, one reading at a time; never rejects. */
  refresh(ageMs = freshMs): Promise<void> {
    this.reading ??= this.read(ageMs).finally(() => (this.reading = undefined));
    return this.reading;
  }

  private async look(everyMs: number): Promise<void> {
    await this.refresh(everyMs);
    const hasFailed = this.nextReadAtMs <= this.options.now() + retryMs;
    if (this.stopping.signal.aborted) return;
    const pauseMs = everyMs / looksPerInterval;
    this.failedLooks = hasFailed && this.prices.size === 0 ? this.failedLooks + 1 : 0;
    const wantedMs =
      this.failedLooks === 0 ? pauseMs : Math.min(retryMs * 2 ** (this.failedLooks - 1), pauseMs);
    // Replicas that were started together do not stay in step.
    this.looking = setTimeout(() => void this.look(everyMs), wantedMs * (0.75 + Math.random() / 2)).unref();
  }

  private async read(ageMs: number): Promise<void> {
    const { sources, tokens, now, shared } = this.options;
    if (this.stopping.signal.aborted) return;
    if (sources.length === 0) {
      this.nextReadAtMs = Number.POSITIVE_INFINITY;
      return;
    }
    this.nextReadAtMs = now() + freshMs;
    if (shared) await this.readShared(shared, ageMs).catch((error: unknown) => this.fail('database', error));
    else {
      // What nobody knows now keeps its last price until that is too old.
      this.know((await this.ask()).prices);
      // Until the first prices are there nobody may ask, and whoever asks first should find some.
      if (this.prices.size === 0 && tokens.length > 0) setTimeout(() => void this.refresh(), retryMs).unref();
    }
    this.tellAge();
  }

  private async readShared(shared: SharedPrices, ageMs: number): Promise<void> {
    const { now } = this.options;
    if (await shared.claim(now() - ageMs, now())) {
      const reading = await this.ask();
      // Known here even when the database does not take it.
      this.know(reading.prices);
      await shared.finish(reading, now());
    } else this.nextReadAtMs = now() + retryMs;
    this.know(await shared.load());
  }

  private async ask(): Promise<Reading> {
    const { sources, tokens, now } = this.options;
    const found = new Map<string, Price>();
    const askedAtMs = now();
    let wanted = tokens;
    let hasFailed = false;
    for (const source of sources) {
      try {
        this.stopping.signal.throwIfAborted();
        const signal = AbortSignal.any([AbortSignal.timeout(readTimeoutMs), this.stopping.signal]);
        const prices = await source.read(wanted, signal);
        for (const { token, price } of prices) {
          const key = tokenKey(token.chain, token.address);
          // A source whose clock is ahead must not make a price that never gets old.
          const atMs = Math.min(price.atMs, now());
          const isPrice = now() - atMs <= maxPriceAgeMs && !isZero(price.usd);
          if (isPrice && !found.has(key)) found.set(key, { ...price, atMs });
        }
      } catch (error) {
        hasFailed = true;
        this.fail(source.name, error);
      }
      wanted = wanted.filter((token) => !found.has(tokenKey(token.chain, token.address)));
      if (wanted.length === 0) break;
    }
    const outcome = this.stopping.signal.aborted ? 'stopped' : 'failed';
    return { askedAtMs, prices: found, outcome: hasFailed ? outcome : 'complete' };
  }

  private fail(source: string, error: unknown): void {
    this.nextReadAtMs = this.options.now() + retryMs;
    if (!this.stopping.signal.aborted) this.options.onFailure?.(source, error);
  }

  /**
   * What was read last replaces what was known, even with an older price: the source has taken the newer one back. A price
   * that is far ahead is of a clock that was set back since: it would never get old.
   */
  private know(prices: ReadonlyMap<string, Price>): void {
    const latestMs = this.options.now() + clockSkewMs;
    this.prices = new Map([...this.prices, ...prices].filter(([, { atMs }]) => atMs <= latestMs));
  }

  private tellAge(): void {
    const { tokens, now, onAge } = this.options;
    const times = tokens.flatMap(
      ({ chain, address }) => this.prices.get(tokenKey(chain, address))?.atMs ?? [],
    );
    onAge?.(times.length === 0 ? undefined : now() - Math.min(...times));
  }
}

/** What a source writes that lists a token and has no price of it. */
const isZero = (usd: string): boolean => !/[1-9]/.test(usd);
