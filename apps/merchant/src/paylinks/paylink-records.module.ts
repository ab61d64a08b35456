import { Module } from '@nestjs/common';
import { ChainsModule } from '../chains/chains.module';
import { DashboardListener } from '../dashboard/dashboard.listener';
import { DashboardModule } from '../dashboard/dashboard.module';
import { LedgerListener } from '../ledger/ledger.listener';
import { LedgerModule } from '../ledger/ledger.module';
import { LinkCheckouts } from './link-checkouts';
import { PayLinkListeners, type PayLinkListener } from './paylink-listener';
import { PayLinkPaymentsRepository } from './payments/paylink-payments.repository';
import { PayLinksRepository } from './paylinks.repository';
import { PaymentChanges } from './payments/payment-changes';

/** Links, their payments, and the listeners that handle changed payments. */
@Module({
  imports: [ChainsModule, DashboardModule, LedgerModule],
  providers: [
    PayLinksRepository,
    PayLinkPaymentsRepository,
    PaymentChanges,
    LinkCheckouts,
    {
      provide: PayLinkListeners,
      // The listeners run in this order.
      inject: [DashboardListener, LedgerListener],
      useFactory: (...listeners: PayLinkListener[]) => listeners,
    },
  ],
  exports: [PayLinksRepository, PayLinkPaymentsRepository, PaymentChanges, LinkCheckouts],
})
export class PayLinkRecordsModule {}
