import type { OnApplicationBootstrap, OnApplicationShutdown } from '@nestjs/common';
import type { Metrics, Logger } from '@tollbridge/observability';
import type { Pool } from 'pg';
import { isHeld, Prices } from './prices';
import type { Price, PricedToken, PriceSource } from './price';
import { PostgresPrices } from './shared-prices';

/**
 * A payment is valued with the first price after it, up to this many milliseconds later. Later it stays without a
 * value.
 */
export const latestValueMs = 6 * 60 * 60_000;

/** A price for conversions of money. */
export interface ConversionPrice extends Price {
  /** Name of the source; null for a price that was stored before sources were recorded. */
  source: string | null;
  /** Whether the price moved above the bound, and no other source has confirmed it. */
  isHeld: boolean;
}

export interface KeptPricesParts {
  sources: readonly PriceSource[];
  tokens: readonly PricedToken[];
  /** Interval between two reads of the prices. With 0, only calls trigger a read. */
  everySeconds: number;
  /** See `PricesOptions`. Only apps that convert prices to amounts need it. */
  maxMoveBps?: number;
  database: { pool: Pool };
  clock: { now(): number };
  metrics: Metrics;
  logger: Logger;
}

/** The prices of one app, refreshed while it runs. Subclasses add access methods. */
export abstract class KeptPrices implements OnApplicationBootstrap, OnApplicationShutdown {
  protected readonly prices: Prices;
  private readonly everyMs: number;
  private readonly tokens: readonly PricedToken[];

  constructor({
    sources,
    tokens,
    everySeconds,
    maxMoveBps,
    database,
    clock,
    metrics,
    logger,
  }: KeptPricesParts) {
    const age = metrics.gauge('tollbridge_price_age_seconds', 'Age of the oldest price of a token');
    const failures = metrics.counter('tollbridge_price_failures_total', 'Failed price reads by source', [
      'source',
    ]);
    this.everyMs = everySeconds * 1_000;
    this.tokens = tokens;
    this.prices = new Prices({
      sources,
      tokens,
      ...(maxMoveBps === undefined ? {} : { maxMoveBps }),
      now: () => clock.now(),
      shared: new PostgresPrices(database.pool),
      onAge: (oldestMs) => age.set(oldestMs === undefined ? 0 : oldestMs / 1_000),
      onFailure: (source, err) => {
        failures.inc({ source });
        logger.warn({ source, err }, 'price read failed');
      },
    });
  }

  /** Resolves when the prices that other replicas have read are loaded. */
  onApplicationBootstrap(): Promise<void> {
    return this.prices.start(this.everyMs);
  }

  onApplicationShutdown(): Promise<void> {
    return this.prices.stop();
  }

  /** Returns the price to convert money with; undefined without a recent one. */
  forConversion(token: PricedToken): ConversionPrice | undefined {
    const price = this.prices.of(token);
    return price && { usd: price.usd, source: price.source, atMs: price.atMs, isHeld: isHeld(price) };
  }

  /** Returns the tokens with a recent price. Triggers no read. */
  priced(): PricedToken[] {
    return this.tokens.filter((token) => this.prices.known(token) !== undefined);
  }

  /** Resolves when this or another replica has read the sources. */
  refresh(): Promise<void> {
    return this.prices.refresh();
  }
}
