export {
  Conversions,
  type ConversionParts,
  type ConvertedPrice,
  type FiatPrice,
  type Place,
  type TokenRate,
} from './conversions';
export { priceErrors } from './price-errors';
export { EuropeanCentralBank } from './european-central-bank';
export type { FiatRate, FiatRateMissing, FiatReading, RateSource } from './fiat-rate';
export { FiatRates, type FiatRatesOptions } from './fiat-rates';
export {
  AgreedFiatRateRow,
  FiatRateLeaseRow,
  FiatRateReadingRow,
  fiatRateEntities,
} from './fiat-rates.entity';
export { KeptFiatRates, type KeptFiatRatesParts } from './kept-fiat-rates';
export { OpenExchangeRates } from './open-exchange-rates';
export { rateSettings, rateSources } from './rate.config';
export {
  dropFiatRatesTables,
  fiatRatesTables,
  PostgresFiatRates,
  rateLeaseMs,
  type KnownRates,
  type RateReading,
  type SharedFiatRates,
} from './shared-fiat-rates';
