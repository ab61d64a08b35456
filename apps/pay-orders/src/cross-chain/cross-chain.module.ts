import { Module } from '@nestjs/common';
import { ChainsModule } from '../chains/chains.module';
import { PricesModule } from '../prices/prices.module';
import { RouteCommitments } from './commit-route';
import { Deliveries } from './deliveries';
import { DepositChecks } from './deposit-checks';
import { DepositVerdicts } from './deposit-verdicts';
import { DepositsRepository } from './deposits.repository';
import { DepositFollower } from './deposits.worker';
import { RouteCommitsRepository } from './route-commits.repository';
import { RouteProviderModule } from './route-provider.module';
import { SwapsHandlers } from './swaps.handlers';

/** Deposit addresses of cross-chain orders, and the results of their deposits. */
@Module({
  imports: [ChainsModule, PricesModule, RouteProviderModule],
  controllers: [SwapsHandlers],
  providers: [
    Deliveries,
    DepositChecks,
    DepositFollower,
    DepositsRepository,
    DepositVerdicts,
    RouteCommitments,
    RouteCommitsRepository,
  ],
  exports: [RouteCommitments],
})
export class CrossChainModule {}
