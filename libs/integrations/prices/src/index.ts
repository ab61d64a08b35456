export { DefiLlama } from './defillama';
export { KeptPrices, latestValueMs, type KeptPricesParts } from './kept-prices';
export { priceSettings } from './price.config';
export { PriceReadingRow, TokenPriceRow, priceEntities } from './prices.entity';
export {
  maxPriceAgeMs,
  Prices,
  type Price,
  type PricesOptions,
  type PriceSource,
  type PricedToken,
} from './prices';
export {
  dropPricesTables,
  PostgresPrices,
  pricesTables,
  readingLeaseMs,
  type Reading,
  type SharedPrices,
} from './shared-prices';
export { unitsWorth, usdValue } from '@tollbridge/money';
