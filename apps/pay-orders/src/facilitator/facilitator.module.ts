import { Module } from '@nestjs/common';
import { ServiceConfig, ServiceLogger } from '@tollbridge/bootstrap';
import { ChainAdapters } from '@tollbridge/chain-port';
import type { Logger } from '@tollbridge/observability';
import { ChainsModule } from '../chains/chains.module';
import { EvmChains } from '../chains/evm/evm-chains';
import type { PayOrdersConfig } from '../config';
import { ChannelSettlements } from './evm/channel-settlements';
import { EvmRail } from './evm/evm-rail';
import { FacilitatorAccount } from './evm/facilitator-account';
import { EvmFollower } from './evm/evm-follower';
import { Facilitator } from './facilitator';
import { FacilitatorGas } from './facilitator-gas';
import { FacilitatorHandlers } from './facilitator.handlers';
import { FacilitatorWorker } from './facilitator.worker';
import { FacilitatorLimits } from './limits';
import { Rails } from './rails';
import { SettlementsRepository } from './settlements.repository';
import { openSolana } from './solana/open-solana';

/** The x402 facilitator for the official schemes: settles payments of buyers to sellers on their chain. */
@Module({
  imports: [ChainsModule],
  controllers: [FacilitatorHandlers],
  providers: [
    {
      provide: FacilitatorAccount,
      inject: [ServiceConfig, EvmChains],
      useFactory: (config: PayOrdersConfig, evm: EvmChains) => new FacilitatorAccount(config, evm),
    },
    {
      provide: FacilitatorLimits,
      inject: [ServiceConfig],
      useFactory: (config: PayOrdersConfig) => new FacilitatorLimits(config),
    },
    {
      provide: Rails,
      inject: [
        EvmRail,
        ServiceConfig,
        ChainAdapters,
        FacilitatorLimits,
        SettlementsRepository,
        ServiceLogger,
      ],
      useFactory: async (
        evm: EvmRail,
        config: PayOrdersConfig,
        adapters: ChainAdapters,
        limits: FacilitatorLimits,
        settlements: SettlementsRepository,
        logger: Logger,
      ) => new Rails([evm, await openSolana({ config, adapters, limits, settlements, logger })]),
    },
    ChannelSettlements,
    EvmRail,
    Facilitator,
    FacilitatorGas,
    FacilitatorWorker,
    EvmFollower,
    SettlementsRepository,
  ],
})
export class FacilitatorModule {}
