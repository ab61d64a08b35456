import { Module } from '@nestjs/common';
import { ServiceConfig, ServiceLogger } from '@tollbridge/bootstrap';
import { ChainAdapters } from '@tollbridge/chain-port';
import { loadDeployments } from '@tollbridge/chains';
import { Metrics, type Logger } from '@tollbridge/observability';
import type { PayOrdersConfig } from '../config';
import { RouteProvider } from '../cross-chain/route-provider';
import { RouteProviderModule } from '../cross-chain/route-provider.module';
import { ChainsHandlers } from './chains.handlers';
import { Deployments } from './deployments';
import { EvmChains } from './evm/evm-chains';

/** The chains of this deployment, the adapters that take payments on them, and the routes between them. */
@Module({
  imports: [RouteProviderModule],
  controllers: [ChainsHandlers],
  providers: [
    {
      provide: EvmChains,
      inject: [ServiceConfig, ServiceLogger, Metrics],
      useFactory: (config: PayOrdersConfig, logger: Logger, metrics: Metrics) => {
        const evm = new EvmChains(loadDeployments(config.CHAINS_FILE), logger);
        evm.show(metrics);
        return evm;
      },
    },
    // The one place that lists chain families.
    {
      provide: ChainAdapters,
      inject: [EvmChains],
      useFactory: (evm: EvmChains) => new ChainAdapters(evm.adapters()),
    },
    {
      provide: Deployments,
      inject: [ChainAdapters, RouteProvider],
      useFactory: (adapters: ChainAdapters, { routes }: RouteProvider) =>
        new Deployments(adapters, routes !== undefined),
    },
  ],
  exports: [ChainAdapters, Deployments, EvmChains],
})
export class ChainsModule {}
