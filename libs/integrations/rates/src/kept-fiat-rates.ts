import type { OnApplicationBootstrap, OnApplicationShutdown } from '@nestjs/common';
import type { Metrics, Logger } from '@tollbridge/observability';
import type { Pool } from 'pg';
import { FiatRates } from './fiat-rates';
import type { FiatRate, FiatRateMissing, RateSource } from './fiat-rate';
import { PostgresFiatRates } from './shared-fiat-rates';

export interface KeptFiatRatesParts {
  /** Sources in order of preference, such as those of `rateSources`. */
  sources: readonly RateSource[];
  /** Interval between two reads of the sources. */
  everySeconds: number;
  /** A currency that moves further than this from its agreed value is held, in basis points. */
  maxMoveBps: number;
  /** A database with the tables of `fiatRatesTables`. */
  database: { pool: Pool };
  clock: { now(): number };
  metrics: Metrics;
  logger: Logger;
  /** Called after each check of the rates, for copies that the app keeps. */
  onRead?(): Promise<void>;
}

/** The exchange rates of one app, refreshed while it runs. */
export class KeptFiatRates implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly rates: FiatRates;
  private readonly everyMs: number;
  private held: readonly string[] = [];

  constructor(parts: KeptFiatRatesParts) {
    const { sources, everySeconds, maxMoveBps, database, clock, metrics, logger } = parts;
    const age = metrics.gauge('tollbridge_fiat_rate_age_seconds', 'Age of the newest rate of a source', [
      'source',
    ]);
    const held = metrics.gauge(
      'tollbridge_fiat_rates_held',
      'Currencies that moved too far without confirmation',
    );
    const failures = metrics.counter('tollbridge_fiat_rate_failures_total', 'Failed rate reads by source', [
      'source',
    ]);
    this.everyMs = everySeconds * 1_000;
    this.rates = new FiatRates({
      sources,
      maxMoveBps,
      now: () => clock.now(),
      shared: new PostgresFiatRates(database.pool),
      ...(parts.onRead && { onRead: parts.onRead }),
      onAge: (source, newestMs) => {
        if (newestMs !== undefined) age.set({ source }, newestMs / 1_000);
      },
      onHeld: (currencies) => {
        held.set(currencies.length);
        const added = currencies.filter((currency) => !this.held.includes(currency));
        this.held = currencies;
        if (added.length > 0) logger.warn({ currencies: added }, 'fiat rate held');
      },
      onFailure: (source, err) => {
        failures.inc({ source });
        logger.warn({ source, err }, 'fiat rate read failed');
      },
    });
  }

  /** Resolves when the rates that other replicas have read are loaded. */
  onApplicationBootstrap(): Promise<void> {
    return this.rates.start(this.everyMs);
  }

  onApplicationShutdown(): Promise<void> {
    return this.rates.stop();
  }

  /** Returns the rate of a currency (ISO 4217), or the reason that it is missing. It answers from memory. */
  of(currency: string): FiatRate | FiatRateMissing {
    return this.rates.of(currency);
  }

  /** Resolves when this or another replica has read the sources within the interval. */
  async refresh(): Promise<void> {
    await this.rates.refresh(this.everyMs);
  }
}
