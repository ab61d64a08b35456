import { Module } from '@nestjs/common';
import { ServiceConfig, ServiceLogger } from '@tollbridge/bootstrap';
import { openPaymentChains } from '@tollbridge/chain-families';
import { showNodes } from '@tollbridge/chain-nodes';
import { ChainAdapters } from '@tollbridge/chain-port';
import { loadDeployments, loadExplorers } from '@tollbridge/chains';
import { Metrics, type Logger } from '@tollbridge/observability';
import type { PayOrdersConfig } from '../config';
import { RouteProvider } from '../cross-chain/route-provider';
import { RouteProviderModule } from '../cross-chain/route-provider.module';
import { ChainsHandlers } from './chains.handlers';
import { Deployments } from './deployments';
import { Explorers } from './explorers';
import { EvmChains } from './evm/evm-chains';

/** The chains of this deployment, the adapters for payments on them, and the routes between them. */
@Module({
  imports: [RouteProviderModule],
  controllers: [ChainsHandlers],
  providers: [
    {
      provide: EvmChains,
      inject: [ServiceConfig, ServiceLogger],
      useFactory: (config: PayOrdersConfig, logger: Logger) =>
        new EvmChains(loadDeployments(config.CHAINS_FILE), logger),
    },
    {
      provide: Explorers,
      inject: [ServiceConfig],
      useFactory: ({ CHAINS_FILE, environment }: PayOrdersConfig) =>
        new Explorers(loadExplorers(CHAINS_FILE), environment === 'sandbox'),
    },
    {
      provide: ChainAdapters,
      inject: [EvmChains, ServiceConfig, ServiceLogger, Metrics],
      useFactory: openAdapters,
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

async function openAdapters(
  evm: EvmChains,
  { CHAINS_FILE }: PayOrdersConfig,
  logger: Logger,
  metrics: Metrics,
): Promise<ChainAdapters> {
  const others = await openPaymentChains(CHAINS_FILE, logger);
  showNodes(metrics, [...evm.all, ...others]);
  return new ChainAdapters([...evm.adapters(), ...others.map(({ adapter }) => adapter)]);
}
