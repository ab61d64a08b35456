export { DefiLlama } from './defillama';
export { KeptPrices, latestValueMs, type KeptPricesParts } from './kept-prices';
export { priceSettings } from './price.config';
export { PriceReadingRow, TokenPriceRow, priceEntities } from './prices.entity';
export { maxPriceAgeMs, Prices, type PricesOptions } from './prices';
export type { Price, PriceSource, PricedToken } from './price';
export {
  dropPricesTables,
  PostgresPrices,
  pricesTables,
  readingLeaseMs,
  type Reading,
  type SharedPrices,
} from './shared-prices';
export { unitsWorth, usdValue } from '@tollbridge/money';
