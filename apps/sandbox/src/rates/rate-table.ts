import type { Clock } from '@tollbridge/database';
import { seedRates } from './seed-rates';

/** The simulated sources of exchange rates. */
export const rateProviders = ['ecb', 'openexchangerates'] as const;
export type RateProvider = (typeof rateProviders)[number];

/** The currencies that the European Central Bank publishes, in the order of its file. */
export const ecbCurrencies: readonly string[] = (
  'USD JPY CZK DKK GBP HUF PLN RON SEK CHF ISK NOK TRY AUD BRL CAD CNY HKD IDR ILS INR KRW MXN MYR NZD PHP SGD ' +
  'THB ZAR'
).split(' ');

export interface RateChange {
  currency: string;
  /** Units of the currency for one US dollar, a decimal text above 0. */
  perUsd: string;
  /** The provider that publishes the rate; without it, every provider that has the currency. */
  provider?: RateProvider | undefined;
  /** Time of all rates of these providers, to make them stale; without it they are current. */
  frozenAt?: Date | undefined;
}

interface Publication {
  perUsd: Map<string, string>;
  frozenAt: Date | undefined;
  /** Time of the last change by a test or a user. */
  changedAtMs: number;
}

/** The rates that the simulators publish. A restart resets them. */
export class RateTable {
  private readonly publications: Readonly<Record<RateProvider, Publication>>;

  constructor(private readonly clock: Clock) {
    const all = Object.entries(seedRates).map(([code, { perUsd }]) => [code, perUsd] as const);
    const isOfEcb = (code: string): boolean => code === 'EUR' || ecbCurrencies.includes(code);
    this.publications = {
      ecb: { perUsd: new Map(all.filter(([code]) => isOfEcb(code))), frozenAt: undefined, changedAtMs: 0 },
      openexchangerates: { perUsd: new Map(all), frozenAt: undefined, changedAtMs: 0 },
    };
  }

  /** Returns false for the US dollar, and for a currency that the provider does not publish. */
  set({ currency, perUsd, provider, frozenAt }: RateChange): boolean {
    const given = provider ? [provider] : rateProviders;
    const changed = given
      .map((name) => this.publications[name])
      .filter((publication) => publication.perUsd.has(currency));
    if (currency === 'USD' || changed.length === 0) return false;
    for (const publication of changed) {
      publication.perUsd.set(currency, perUsd);
      publication.frozenAt = frozenAt;
      publication.changedAtMs = this.clock.now();
    }
    return true;
  }

  /** Units of each currency for one US dollar, by code. */
  perUsd(provider: RateProvider): ReadonlyMap<string, string> {
    return this.publications[provider].perUsd;
  }

  /** The time of the rates, if it is fixed; else undefined. */
  frozenAt(provider: RateProvider): Date | undefined {
    return this.publications[provider].frozenAt;
  }

  /** The time of the last change by a test or a user; 0 without a change. */
  changedAtMs(provider: RateProvider): number {
    return this.publications[provider].changedAtMs;
  }
}
