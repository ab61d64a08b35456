import { Module } from '@nestjs/common';
import { ServiceConfig, ServiceLogger } from '@tollbridge/bootstrap';
import { loadEvmChains } from '@tollbridge/chains';
import { showNodes } from '@tollbridge/chain-nodes';
import { Metrics, type Logger } from '@tollbridge/observability';
import type { TxEngineConfig } from '../config';
import { EvmChains } from './evm-chains';
import { GasPrices } from './gas-prices';
import { Tokens } from './tokens';

function evmChains(config: TxEngineConfig, logger: Logger, metrics: Metrics): EvmChains {
  const chains = new EvmChains(loadEvmChains(config.CHAINS_FILE), logger);
  showNodes(
    metrics,
    chains.all.map((chain) => ({ chain, rpc: chains.rpc(chain.chainId) })),
  );
  return chains;
}

/** The EVM chains of this deployment: nodes, tokens and gas prices. */
@Module({
  providers: [
    { provide: EvmChains, inject: [ServiceConfig, ServiceLogger, Metrics], useFactory: evmChains },
    { provide: Tokens, inject: [EvmChains], useFactory: (chains: EvmChains) => new Tokens(chains) },
    { provide: GasPrices, inject: [EvmChains], useFactory: (chains: EvmChains) => new GasPrices(chains) },
  ],
  exports: [EvmChains, Tokens, GasPrices],
})
export class ChainsModule {}
