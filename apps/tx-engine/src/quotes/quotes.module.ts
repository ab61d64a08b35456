import { Module } from '@nestjs/common';
import { ServiceConfig, ServiceLogger } from '@tollbridge/bootstrap';
import { Clock, Database } from '@tollbridge/database';
import { Metrics, type Logger } from '@tollbridge/observability';
import { DefiLlama } from '@tollbridge/prices';
import { SwapRouter } from '@tollbridge/routing';
import { ChainsModule } from '../chains/chains.module';
import { EvmChains } from '../chains/evm-chains';
import { GasPrices } from '../chains/gas-prices';
import type { TxEngineConfig } from '../config';
import { SwapPrices } from './prices';
import { SwapQuoting } from './swap-quoting';
import { SwapQuotesHandlers } from './quotes.handlers';
import { QuotesRepository } from './quotes.repository';
import { QuoteSweep } from './quotes.worker';
import { SoldQuotesHandlers } from './sold-quotes.handlers';
import { SwapRequests } from './swap-requests';
import { createSwapRouter } from './swap-router';

function swapPrices(
  chains: EvmChains,
  { DEFILLAMA_URL: url, PRICES_EVERY_SECONDS: everySeconds }: TxEngineConfig,
  database: Database,
  clock: Clock,
  metrics: Metrics,
  logger: Logger,
): SwapPrices {
  const sources = url === '' ? [] : [new DefiLlama(url)];
  const tokens = chains.all.flatMap(({ id, tokens }) =>
    tokens.map(({ address }) => ({ chain: id, address })),
  );
  return new SwapPrices({ sources, tokens, everySeconds, database, clock, metrics, logger });
}

/** Quotes swaps and stores the quotes. */
@Module({
  imports: [ChainsModule],
  controllers: [SwapQuotesHandlers, SoldQuotesHandlers],
  providers: [
    QuotesRepository,
    QuoteSweep,
    SwapQuoting,
    SwapRequests,
    {
      provide: SwapPrices,
      inject: [EvmChains, ServiceConfig, Database, Clock, Metrics, ServiceLogger],
      useFactory: swapPrices,
    },
    {
      provide: SwapRouter,
      inject: [EvmChains, GasPrices, SwapPrices, ServiceConfig, ServiceLogger],
      useFactory: createSwapRouter,
    },
  ],
  exports: [QuotesRepository, SwapPrices, SwapRouter],
})
export class QuotesModule {}
