export { DefiLlama } from './defillama';
export { KeptPrices, latestValueMs, type ConversionPrice, type KeptPricesParts } from './kept-prices';
export { priceSettings } from './price.config';
export { PriceReadingRow, TokenPriceRow, priceEntities } from './prices.entity';
export { isHeld, maxPriceAgeMs, Prices, type PricesOptions } from './prices';
export type { KeptPrice, Price, PriceSource, PricedToken } from './price';
export {
  agreedPriceColumns,
  dropAgreedPriceColumns,
  dropPricesTables,
  PostgresPrices,
  pricesTables,
  readingLeaseMs,
  type Reading,
  type SharedPrices,
} from './shared-prices';
export { unitsWorth, usdValue } from '@tollbridge/money';
