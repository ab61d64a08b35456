import { Module } from '@nestjs/common';
import { ChainsModule } from '../chains/chains.module';
import { QuotesModule } from '../quotes/quotes.module';
import { GroupBuilder } from './building/group-builder';
import { SetBuilder } from './building/set-builder';
import { ChainViews } from './following/chain-views';
import { SetExecution } from './sending/set-execution';
import { DeliveryFollower } from './following/delivery-follower';
import { SetExpiry } from './following/set-expiry.worker';
import { SetFollower } from './following/set-follower';
import { QuoteSetsRepository } from './storage/quote-sets.repository';
import { SetSender } from './sending/set-sender';
import { SetsRepository } from './storage/sets.repository';
import { SetsWorker } from './following/sets.worker';
import { SnapshotsHandlers } from './snapshots.handlers';
import { StandingSets } from './sending/standing-sets';
import { TransactionsHandlers } from './transactions.handlers';

/** Builds quotes into transaction sets, broadcasts signed sets, and polls them on their chains. */
@Module({
  imports: [ChainsModule, QuotesModule],
  controllers: [TransactionsHandlers, SnapshotsHandlers],
  providers: [
    SetsRepository,
    QuoteSetsRepository,
    StandingSets,
    GroupBuilder,
    SetBuilder,
    SetSender,
    SetExecution,
    ChainViews,
    DeliveryFollower,
    SetFollower,
    SetsWorker,
    SetExpiry,
  ],
})
export class TransactionsModule {}
