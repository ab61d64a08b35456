import { Module } from '@nestjs/common';
import { ServiceConfig, ServiceLogger } from '@tollbridge/bootstrap';
import { conversionErrors } from '@tollbridge/contracts';
import { Clock, Database } from '@tollbridge/database';
import { Metrics, type Logger } from '@tollbridge/observability';
import { Conversions, KeptFiatRates, rateSources } from '@tollbridge/rates';
import { PricesModule } from '../prices/prices.module';
import { TokenPrices } from '../prices/token-prices';
import type { PayOrdersConfig } from '../config';
import { PriceSettings } from './price-settings';

/** Exchange rates, and the conversion of prices in currencies to amounts of tokens. */
@Module({
  imports: [PricesModule],
  providers: [
    {
      provide: KeptFiatRates,
      inject: [ServiceConfig, Database, Clock, Metrics, ServiceLogger],
      useFactory: openFiatRates,
    },
    {
      provide: Conversions,
      inject: [KeptFiatRates, TokenPrices, ServiceConfig],
      useFactory: (fiat: KeptFiatRates, tokens: TokenPrices, config: PayOrdersConfig) =>
        new Conversions({
          tokenPrice: (token) => tokens.forConversion(token),
          fiat,
          pegBandBps: config.STABLECOIN_PEG_BAND_BPS,
          errors: conversionErrors,
        }),
    },
    PriceSettings,
  ],
  exports: [Conversions, PriceSettings],
})
export class RatesModule {}

function openFiatRates(
  config: PayOrdersConfig,
  database: Database,
  clock: Clock,
  metrics: Metrics,
  logger: Logger,
): KeptFiatRates {
  return new KeptFiatRates({
    sources: rateSources(config),
    everySeconds: config.RATES_EVERY_SECONDS,
    maxMoveBps: config.RATE_JUMP_BPS,
    database,
    clock,
    metrics,
    logger,
  });
}
