import { Module } from '@nestjs/common';
import { ServiceConfig, ServiceLogger } from '@tollbridge/bootstrap';
import { loadEvmChains } from '@tollbridge/chains';
import type { Logger } from '@tollbridge/observability';
import { requireConnections, type TxEngineConfig } from '../config';
import { EvmChains } from './evm-chains';
import { GasPrices } from './gas-prices';
import { Tokens } from './tokens';

function evmChains(config: TxEngineConfig, logger: Logger): EvmChains {
  requireConnections(config);
  return new EvmChains(loadEvmChains(config.CHAINS_FILE), logger);
}

/** The EVM chains of this deployment: nodes, tokens and gas prices. */
@Module({
  providers: [
    { provide: EvmChains, inject: [ServiceConfig, ServiceLogger], useFactory: evmChains },
    { provide: Tokens, inject: [EvmChains], useFactory: (chains: EvmChains) => new Tokens(chains) },
    { provide: GasPrices, inject: [EvmChains], useFactory: (chains: EvmChains) => new GasPrices(chains) },
  ],
  exports: [EvmChains, Tokens, GasPrices],
})
export class ChainsModule {}
