import { Module } from '@nestjs/common';
import { ServiceConfig, ServiceLogger } from '@tollbridge/bootstrap';
import { conversionErrors } from '@tollbridge/contracts';
import { Clock, Database } from '@tollbridge/database';
import { Metrics, type Logger } from '@tollbridge/observability';
import { Conversions, KeptFiatRates, rateSources } from '@tollbridge/rates';
import { ChainsModule } from '../chains/chains.module';
import { TokenValues } from '../chains/token-values';
import type { MerchantConfig } from '../config';
import { DayRatesRepository } from './day-rates.repository';

/** Exchange rates, and the conversion of prices in currencies to amounts of tokens. */
@Module({
  imports: [ChainsModule],
  providers: [
    {
      provide: KeptFiatRates,
      inject: [ServiceConfig, Database, Clock, Metrics, ServiceLogger, DayRatesRepository],
      useFactory: openFiatRates,
    },
    {
      provide: Conversions,
      inject: [KeptFiatRates, TokenValues, ServiceConfig],
      useFactory: (fiat: KeptFiatRates, tokens: TokenValues, config: MerchantConfig) =>
        new Conversions({
          tokenPrice: (token) => tokens.forConversion(token),
          fiat,
          pegBandBps: config.STABLECOIN_PEG_BAND_BPS,
          errors: conversionErrors,
        }),
    },
    DayRatesRepository,
  ],
  exports: [Conversions, DayRatesRepository],
})
export class RatesModule {}

function openFiatRates(
  config: MerchantConfig,
  database: Database,
  clock: Clock,
  metrics: Metrics,
  logger: Logger,
  days: DayRatesRepository,
): KeptFiatRates {
  return new KeptFiatRates({
    sources: rateSources(config),
    everySeconds: config.RATES_EVERY_SECONDS,
    maxMoveBps: config.RATE_JUMP_BPS,
    database,
    clock,
    metrics,
    logger,
    onRead: () => days.keep(clock.now()),
  });
}
