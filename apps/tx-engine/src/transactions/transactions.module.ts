import { Module } from '@nestjs/common';
import { ChainsModule } from '../chains/chains.module';
import { QuotesModule } from '../quotes/quotes.module';
import { BuildSets } from './build-sets';
import { ChainViews } from './chain-views';
import { ExecuteSet } from './execute-set';
import { FollowDelivery } from './follow-delivery';
import { FollowSet } from './follow-set';
import { QuoteSetsRepository } from './quote-sets.repository';
import { SendSet } from './send-set';
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
    BuildSets,
    SendSet,
    ExecuteSet,
    ChainViews,
    FollowDelivery,
    FollowSet,
    SetsWorker,
  ],
})
export class TransactionsModule {}
