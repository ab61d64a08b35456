import { Module } from '@nestjs/common';
import { ChainsModule } from '../chains/chains.module';
import { QuotesModule } from '../quotes/quotes.module';
import { SetBuilder } from './set-builder';
import { ChainViews } from './chain-views';
import { SetExecution } from './set-execution';
import { DeliveryFollower } from './delivery-follower';
import { SetFollower } from './set-follower';
import { QuoteSetsRepository } from './quote-sets.repository';
import { SetSender } from './set-sender';
import { SetsRepository } from './sets.repository';
import { SetsWorker } from './sets.worker';
import { SnapshotsHandlers } from './snapshots.handlers';
import { StandingSets } from './standing-sets';
import { TransactionsHandlers } from './transactions.handlers';

/** Builds quotes into transaction sets, sends what was signed, and follows the sets on their chains. */
@Module({
  imports: [ChainsModule, QuotesModule],
  controllers: [TransactionsHandlers, SnapshotsHandlers],
  providers: [
    SetsRepository,
    QuoteSetsRepository,
    StandingSets,
    SetBuilder,
    SetSender,
    SetExecution,
    ChainViews,
    DeliveryFollower,
    SetFollower,
    SetsWorker,
  ],
})
export class TransactionsModule {}
