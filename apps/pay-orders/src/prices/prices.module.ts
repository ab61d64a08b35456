import { Module } from '@nestjs/common';
import { ServiceConfig, ServiceLogger } from '@tollbridge/bootstrap';
import { Clock, Database } from '@tollbridge/database';
import { Metrics, type Logger } from '@tollbridge/observability';
import { ChainsModule } from '../chains/chains.module';
import { Deployments } from '../chains/deployments';
import type { PayOrdersConfig } from '../config';
import { RouteProvider } from '../cross-chain/route-provider';
import { RouteProviderModule } from '../cross-chain/route-provider.module';
import { pricedTokens, priceSources, TokenPrices } from './token-prices';

/** Dollar prices of the tokens of all chains. */
@Module({
  imports: [ChainsModule, RouteProviderModule],
  providers: [
    {
      provide: TokenPrices,
      inject: [Deployments, RouteProvider, ServiceConfig, Database, Clock, Metrics, ServiceLogger],
      useFactory: openPrices,
    },
  ],
  exports: [TokenPrices],
})
export class PricesModule {}

function openPrices(
  deployments: Deployments,
  { routes }: RouteProvider,
  { DEFILLAMA_URL, PRICES_EVERY_SECONDS: everySeconds, RATE_JUMP_BPS: maxMoveBps }: PayOrdersConfig,
  database: Database,
  clock: Clock,
  metrics: Metrics,
  logger: Logger,
): TokenPrices {
  return new TokenPrices({
    sources: priceSources(routes, DEFILLAMA_URL),
    tokens: pricedTokens((chainId) => deployments.known(chainId)!),
    everySeconds,
    maxMoveBps,
    database,
    clock,
    metrics,
    logger,
  });
}
