import { Module } from '@nestjs/common';
import { openReadChains } from '@tollbridge/chain-families';
import { showNodes } from '@tollbridge/chain-nodes';
import { chains, directFamilies, loadDirectChains, loadEvmChains } from '@tollbridge/chains';
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
      inject: [ServiceConfig, ServiceLogger],
      useFactory: ({ CHAINS_FILE }: MerchantConfig, logger: Logger) =>
        new EvmChains(CHAINS_FILE === '' ? [] : loadEvmChains(CHAINS_FILE), logger),
    },
    {
      provide: ChainNodes,
      inject: [EvmChains, ServiceConfig, ServiceLogger, Metrics],
      useFactory: openChainNodes,
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

async function openChainNodes(
  evm: EvmChains,
  { CHAINS_FILE }: MerchantConfig,
  logger: Logger,
  metrics: Metrics,
): Promise<ChainNodes> {
  const others = CHAINS_FILE === '' ? [] : await openReadChains(CHAINS_FILE, logger);
  showNodes(metrics, [...evm.all, ...others]);
  const readers = [...evm.readers(), ...others.map(({ reader }) => reader)];
  return new ChainNodes(readers, new Set(CHAINS_FILE === '' ? [] : directChainsOf(CHAINS_FILE)));
}

const directChainsOf = (path: string): string[] =>
  directFamilies.flatMap((family) => loadDirectChains(path, family).map(({ id }) => id));

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
    maxMoveBps: config.RATE_JUMP_BPS,
    database,
    clock,
    metrics,
    logger,
  });
}
