/** The rate of a currency as a source has published it. */
export interface FiatReading {
  /** Code of ISO 4217. */
  currency: string;
  /** Units of the currency for one US dollar: decimal text above 0, with at most 12 significant digits. */
  perUsd: string;
  /** Time of publication, by the source. */
  atMs: number;
}

/** A source of rates. It omits the US dollar, and currencies that are not in ISO 4217. */
export interface RateSource {
  readonly name: string;
  /** A reading is used until this time after its publication. */
  readonly maxAgeMs: number;
  /** @throws ProviderError when the source does not answer, or when any part of its reply is not valid */
  read(signal: AbortSignal): Promise<readonly FiatReading[]>;
}

/** A rate that can be used. */
export interface FiatRate {
  /** Units of the currency for one US dollar: decimal text above 0. */
  perUsd: string;
  /** Name of the source; `fixed` for the US dollar. */
  source: string;
  /** Time of publication, limited to the time of the read. */
  atMs: number;
}

/**
 * The reason that a rate is missing:
 * - `unknown`: no configured source has published the currency.
 * - `stale`: the last reading of each source is too old.
 * - `moved`: the rate moved further than the bound, and no second source has confirmed it.
 */
export interface FiatRateMissing {
  missing: 'unknown' | 'stale' | 'moved';
}
