import type { OnApplicationBootstrap, OnApplicationShutdown } from '@nestjs/common';
import type { Metrics, Logger } from '@tollbridge/observability';
import type { Pool } from 'pg';
import { Prices, type PricedToken, type PriceSource } from './prices';
import { PostgresPrices } from './shared-prices';

/** How long the first price after a payment says what it was worth, in milliseconds; later it stays without a value. */
export const latestValueMs = 6 * 60 * 60_000;

export interface KeptPricesParts {
  sources: readonly PriceSource[];
  tokens: readonly PricedToken[];
  /** How often they are read; 0 for only when they are asked for. */
  everySeconds: number;
  database: { pool: Pool };
  clock: { now(): number };
  metrics: Metrics;
  logger: Logger;
}

/** The prices of one app, kept fresh as long as it runs; what they are good for is said by its subclass. */
export abstract class KeptPrices implements OnApplicationBootstrap, OnApplicationShutdown {
  protected readonly prices: Prices;
  private readonly everyMs: number;
  private readonly tokens: readonly PricedToken[];

  constructor({ sources, tokens, everySeconds, database, clock, metrics, logger }: KeptPricesParts) {
    const age = metrics.gauge('tollbridge_price_age_seconds', 'Age of the oldest price of a token');
    const failures = metrics.counter(
      'tollbridge_price_failures_total',
      'Readings of prices that failed, by source',
      ['source'],
    );
    this.everyMs = everySeconds * 1_000;
    this.tokens = tokens;
    this.prices = new Prices({
      sources,
      tokens,
      now: () => clock.now(),
      shared: new PostgresPrices(database.pool),
      onAge: (oldestMs) => age.set(oldestMs === undefined ? 0 : oldestMs / 1_000),
      onFailure: (source, err) => {
        failures.inc({ source });
        logger.warn({ source, err }, 'prices could not be read');
      },
    });
  }

  /** Resolves when what other replicas have read is known, so that the first call finds it. */
  onApplicationBootstrap(): Promise<void> {
    return this.prices.start(this.everyMs);
  }

  onApplicationShutdown(): Promise<void> {
    return this.prices.stop();
  }

  /** The tokens that have a recent price at this moment; has nothing read. */
  priced(): PricedToken[] {
    return this.tokens.filter((token) => this.prices.known(token) !== undefined);
  }

  /** Resolves when the sources were asked, by this replica or another one. */
  refresh(): Promise<void> {
    return this.prices.refresh();
  }
}
