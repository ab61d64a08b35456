import { tokenKey } from '@tollbridge/chains';
import { hasMoved } from '@tollbridge/money';
import type { KeptPrice, Price, PricedToken, PriceSource } from './price';
import type { Reading, SharedPrices } from './shared-prices';

export interface PricesOptions {
  /** Sources in order of preference. Each source is asked only for tokens that the previous ones do not price. */
  sources: readonly PriceSource[];
  /** The tokens to price. */
  tokens: readonly PricedToken[];
  now(): number;
  /** A price that moves further between two reads is agreed only after another source confirms it. */
  maxMoveBps?: number;
  /** Prices that all replicas share. Without it, each process reads its own prices. */
  shared?: SharedPrices;
  /** @param source name of the source, or `database` if the shared prices could not be loaded */
  onFailure?(source: string, error: unknown): void;
  /** Called after each check with the age of the oldest price, or undefined without a price. */
  onAge?(oldestMs: number | undefined): void;
}

// A call with older prices triggers a read.
const freshMs = 30_000;
// Pause after the failure of a source, which may just be starting.
const retryMs = 2_000;
/** Older prices are ignored, because no value is better than a wrong one. */
export const maxPriceAgeMs = 10 * 60_000;
const readTimeoutMs = 10_000;
// The market may change by any amount in a day, so an older price proves no fault of a source.
const agreementMs = 24 * 60 * 60_000;
// Tolerance for replicas that measure the database's clock separately.
const clockSkewMs = 1_000;
// Number of loads per interval of the prices that another replica has read.
const pollsPerInterval = 4;

/**
 * Prices of all tokens. They are read in the background and returned immediately, so that no caller waits for a price.
 * A price that is older than 10 minutes is not returned.
 */
export class Prices {
  private prices: ReadonlyMap<string, KeptPrice> = new Map();
  private nextReadAtMs = Number.NEGATIVE_INFINITY;
  private reading: Promise<void> | undefined;
  private timer: NodeJS.Timeout | undefined;
  private failedPolls = 0;
  private readonly stopping = new AbortController();

  constructor(private readonly options: PricesOptions) {}

  /** Returns undefined if no source has priced the token within 10 minutes. */
  of(token: PricedToken): KeptPrice | undefined {
    if (this.options.now() >= this.nextReadAtMs) void this.refresh();
    return this.known(token);
  }

  /** Returns the same price without triggering a read. */
  known(token: PricedToken): KeptPrice | undefined {
    const price = this.prices.get(tokenKey(token.chain, token.address));
    return price && this.options.now() - price.atMs <= maxPriceAgeMs ? price : undefined;
  }

  /**
   * Starts reading prices in advance, in one replica for all. Resolves when the shared prices are loaded; never
   * rejects.
   * @param everyMs the interval; with 0, only calls trigger reads
   */
  async start(everyMs: number): Promise<void> {
    if (this.options.sources.length === 0) return;
    await this.options.shared
      ?.load()
      .then((prices) => this.addPrices(prices))
      .catch((error: unknown) => this.fail('database', error));
    if (everyMs > 0) void this.poll(everyMs);
    else void this.refresh();
  }

  /** Aborts the running read and resolves when it has ended. */
  async stop(): Promise<void> {
    this.stopping.abort();
    clearTimeout(this.timer);
    await this.reading;
  }

  /** Reads all sources, one read at a time. Resolves when the read has ended; never rejects. */
  refresh(ageMs = freshMs): Promise<void> {
    this.reading ??= this.read(ageMs).finally(() => (this.reading = undefined));
    return this.reading;
  }

  private async poll(everyMs: number): Promise<void> {
    await this.refresh(everyMs);
    const hasFailed = this.nextReadAtMs <= this.options.now() + retryMs;
    if (this.stopping.signal.aborted) return;
    const pauseMs = everyMs / pollsPerInterval;
    this.failedPolls = hasFailed && this.prices.size === 0 ? this.failedPolls + 1 : 0;
    const wantedMs =
      this.failedPolls === 0 ? pauseMs : Math.min(retryMs * 2 ** (this.failedPolls - 1), pauseMs);
    // Jitter, so that replicas that started together do not read at the same time.
    this.timer = setTimeout(() => void this.poll(everyMs), wantedMs * (0.75 + Math.random() / 2)).unref();
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
      // A token without a new price keeps its last price until it is too old.
      this.addPrices((await this.ask()).prices);
      // Without any price, retry soon without waiting for the next caller.
      if (this.prices.size === 0 && tokens.length > 0) setTimeout(() => void this.refresh(), retryMs).unref();
    }
    this.reportAge();
  }

  private async readShared(shared: SharedPrices, ageMs: number): Promise<void> {
    const { now } = this.options;
    if (await shared.claim(now() - ageMs, now())) {
      // Moves are measured from the last read of any replica.
      this.addPrices(await shared.load());
      const reading = await this.ask();
      // The prices are used even if the database write fails.
      this.addPrices(reading.prices);
      await shared.finish(reading, now());
    } else this.nextReadAtMs = now() + retryMs;
    this.addPrices(await shared.load());
  }

  private async ask(): Promise<Reading> {
    const { sources, tokens, now } = this.options;
    const found = new Map<string, KeptPrice>();
    const askedAtMs = now();
    let wanted = tokens;
    let hasFailed = false;
    for (const source of sources) {
      const read = await this.askOne(source, wanted);
      hasFailed ||= read === undefined;
      for (const [key, price] of read ?? [])
        if (!found.has(key)) found.set(key, this.agreedUnlessMoved(key, price, source.name));
      wanted = wanted.filter((token) => !found.has(tokenKey(token.chain, token.address)));
      if (wanted.length === 0) break;
    }
    await this.confirmMoves(found);
    const outcome = this.stopping.signal.aborted ? 'stopped' : 'failed';
    return { askedAtMs, prices: found, outcome: hasFailed ? outcome : 'complete' };
  }

  /** The usable prices of one source by token; undefined if it failed. */
  private async askOne(
    source: PriceSource,
    wanted: readonly PricedToken[],
  ): Promise<Map<string, Price> | undefined> {
    const { now } = this.options;
    const found = new Map<string, Price>();
    try {
      this.stopping.signal.throwIfAborted();
      const signal = AbortSignal.any([AbortSignal.timeout(readTimeoutMs), this.stopping.signal]);
      for (const { token, price } of await source.read(wanted, signal)) {
        const key = tokenKey(token.chain, token.address);
        // Limited to the current time, so that a source with a fast clock cannot create a price that never expires.
        const atMs = Math.min(price.atMs, now());
        const isPrice = now() - atMs <= maxPriceAgeMs && !isZero(price.usd);
        if (isPrice && !found.has(key)) found.set(key, { usd: price.usd, atMs });
      }
      return found;
    } catch (error) {
      this.fail(source.name, error);
      return undefined;
    }
  }

  private agreedUnlessMoved(key: string, price: Price, source: string): KeptPrice {
    const { maxMoveBps, now } = this.options;
    const agreed = this.prices.get(key)?.agreed;
    const isComparable = agreed !== undefined && now() - agreed.atMs <= agreementMs;
    const isHeld = maxMoveBps !== undefined && isComparable && hasMoved(agreed.usd, price.usd, maxMoveBps);
    return { ...price, source, agreed: isHeld ? agreed : price };
  }

  /** Asks the other sources for the prices that moved above the bound. A price is agreed if one of them confirms it. */
  private async confirmMoves(found: Map<string, KeptPrice>): Promise<void> {
    const { sources, tokens, maxMoveBps = 0 } = this.options;
    for (const source of sources) {
      const moved = tokens.filter(({ chain, address }) => {
        const price = found.get(tokenKey(chain, address));
        return price !== undefined && isHeld(price) && price.source !== source.name;
      });
      if (moved.length === 0) continue;
      for (const [key, { usd }] of (await this.askOne(source, moved)) ?? []) {
        const price = found.get(key)!;
        if (!hasMoved(usd, price.usd, maxMoveBps))
          found.set(key, { ...price, agreed: { usd: price.usd, atMs: price.atMs } });
      }
    }
  }

  private fail(source: string, error: unknown): void {
    this.nextReadAtMs = this.options.now() + retryMs;
    if (!this.stopping.signal.aborted) this.options.onFailure?.(source, error);
  }

  /**
   * Replaces known prices by the last read, even by older prices, because the source has then withdrawn the newer one.
   * Ignores a price far in the future. It comes from a clock that was later set back, and would never expire.
   */
  private addPrices(prices: ReadonlyMap<string, KeptPrice>): void {
    const latestMs = this.options.now() + clockSkewMs;
    this.prices = new Map([...this.prices, ...prices].filter(([, { atMs }]) => atMs <= latestMs));
  }

  private reportAge(): void {
    const { tokens, now, onAge } = this.options;
    const times = tokens.flatMap(
      ({ chain, address }) => this.prices.get(tokenKey(chain, address))?.atMs ?? [],
    );
    onAge?.(times.length === 0 ? undefined : now() - Math.min(...times));
  }
}

/** Whether a price moved above the bound, and no other source has confirmed it. Money is not converted with it. */
export const isHeld = ({ usd, agreed }: KeptPrice): boolean => usd !== agreed.usd;

/** Whether the price is zero. A source returns this for a listed token without a price. */
const isZero = (usd: string): boolean => !/[1-9]/.test(usd);
