import { Module } from '@nestjs/common';
import { ChainsModule } from '../chains/chains.module';
import { PricesModule } from '../prices/prices.module';
import { ChainFigures } from './chain-figures';
import { DisplacedReportsRepository } from './displaced-reports.repository';
import { PaymentWorkers } from './payment-workers';
import { PaymentsRepository } from './payments.repository';

/** Finds direct payments on their chains and verifies reported transactions. */
@Module({
  imports: [ChainsModule, PricesModule],
  providers: [PaymentsRepository, DisplacedReportsRepository, ChainFigures, PaymentWorkers],
})
export class PaymentsModule {}
