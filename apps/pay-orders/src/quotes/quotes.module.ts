import { Module } from '@nestjs/common';
import { ChainsModule } from '../chains/chains.module';
import { RouteProviderModule } from '../cross-chain/route-provider.module';
import { PricesModule } from '../prices/prices.module';
import { MinAmountProbe } from './min-amount-probe';
import { MinAmounts } from './min-amounts';
import { MinAmountsRepository } from './min-amounts.repository';
import { MinAmountsWorker } from './min-amounts.worker';
import { Quotes } from './quotes';
import { QuotesHandlers } from './quotes.handlers';
import { SnapshotCache } from './snapshot-cache';

/** Quotes of payments, and the minimum amounts of cross-chain routes. */
@Module({
  imports: [ChainsModule, PricesModule, RouteProviderModule],
  controllers: [QuotesHandlers],
  providers: [MinAmountProbe, MinAmounts, MinAmountsRepository, MinAmountsWorker, Quotes, SnapshotCache],
  exports: [Quotes],
})
export class QuotesModule {}
