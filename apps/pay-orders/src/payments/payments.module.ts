import { Module } from '@nestjs/common';
import { ChainsModule } from '../chains/chains.module';
import { PricesModule } from '../prices/prices.module';
import { ChainFigures } from './chain-figures';
import { ChainWatchers } from './chain-watchers';
import { DisplacedReportsRepository } from './displaced-reports.repository';
import { DisplacedReportsWorker } from './displaced-reports.worker';
import { PaymentWorkers } from './payment-workers';
import { PaymentsRepository } from './payments.repository';
import { ReportedTransfers } from './reported-transfers';
import { ReportsWorker } from './reports.worker';

/** Finds direct payments on their chains and verifies reported transactions. */
@Module({
  imports: [ChainsModule, PricesModule],
  providers: [
    ChainFigures,
    ChainWatchers,
    DisplacedReportsRepository,
    DisplacedReportsWorker,
    PaymentsRepository,
    PaymentWorkers,
    ReportedTransfers,
    ReportsWorker,
  ],
})
export class PaymentsModule {}
