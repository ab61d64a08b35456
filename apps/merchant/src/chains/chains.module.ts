import { Module } from '@nestjs/common';
import { chains, loadEvmChains } from '@tollbridge/chains';
import { Clock, Database } from '@tollbridge/database';
import { Metrics, type Logger } from '@tollbridge/observability';
import { DefiLlama } from '@tollbridge/prices';
import { ServiceConfig, ServiceLogger } from '@tollbridge/bootstrap';
import type { MerchantConfig } from '../config';
import { ChainNodes } from './chain-nodes';
import { EvmChains } from './evm/evm-chains';
import { TokenValues } from './token-values';

/** The chains and nodes of this deployment, and the dollar values of their tokens. */
@Module({
  providers: [
    {
      provide: EvmChains,
      inject: [ServiceConfig, ServiceLogger, Metrics],
      useFactory: createEvmChains,
    },
    // The one place that lists chain families.
    {
      provide: ChainNodes,
      inject: [EvmChains],
      useFactory: (evm: EvmChains) => new ChainNodes(evm.readers()),
    },
    {
      provide: TokenValues,
      inject: [ChainNodes, ServiceConfig, Database, Clock, Metrics, ServiceLogger],
      useFactory: createTokenValues,
    },
  ],
  exports: [ChainNodes, EvmChains, TokenValues],
})
export class ChainsModule {}

function createEvmChains({ CHAINS_FILE }: MerchantConfig, logger: Logger, metrics: Metrics): EvmChains {
  const evm = new EvmChains(CHAINS_FILE === '' ? [] : loadEvmChains(CHAINS_FILE), logger);
  evm.show(metrics);
  return evm;
}

function createTokenValues(
  nodes: ChainNodes,
  config: MerchantConfig,
  database: Database,
  clock: Clock,
  metrics: Metrics,
  logger: Logger,
): TokenValues {
  return new TokenValues({
    sources: config.DEFILLAMA_URL === '' ? [] : [new DefiLlama(config.DEFILLAMA_URL)],
    tokens: chains.flatMap(({ id }) => nodes.find(id)!.tokens.map(({ address }) => ({ chain: id, address }))),
    everySeconds: config.PRICES_EVERY_SECONDS,
    database,
    clock,
    metrics,
    logger,
  });
}
