export { DefiLlama } from './defillama';
export { priceSettings } from './price.config';
export { Prices, type Price, type PricesOptions, type PriceSource, type PricedToken } from './prices';
export { unitsWorth, usdValue } from './usd-value';
