import { Module } from '@nestjs/common';
import { ServiceConfig } from '@tollbridge/bootstrap';
import { ChainsModule } from '../chains/chains.module';
import { EvmChains } from '../chains/evm/evm-chains';
import type { PayOrdersConfig } from '../config';
import { FollowSettlement } from './evm/follow-settlement';
import { EvmFacilitator } from './evm/evm-facilitator';
import { FacilitatorAccount } from './evm/facilitator-account';
import { FacilitatorHandlers } from './facilitator.handlers';
import { FacilitatorWorker } from './evm/facilitator.worker';
import { SettlementsRepository } from './settlements.repository';

/** The x402 facilitator of the official schemes: settles payments of buyers to sellers on their chain. */
@Module({
  imports: [ChainsModule],
  controllers: [FacilitatorHandlers],
  providers: [
    {
      provide: FacilitatorAccount,
      inject: [ServiceConfig, EvmChains],
      useFactory: (config: PayOrdersConfig, evm: EvmChains) => new FacilitatorAccount(config, evm),
    },
    EvmFacilitator,
    FacilitatorWorker,
    FollowSettlement,
    SettlementsRepository,
  ],
})
export class FacilitatorModule {}
