import { Module } from '@nestjs/common';
import { Balances, loadBalanceSources } from '@tollbridge/balances';
import { ServiceConfig, ServiceLogger } from '@tollbridge/bootstrap';
import type { Logger } from '@tollbridge/observability';
import { ChainsModule } from '../chains/chains.module';
import type { MerchantConfig } from '../config';
import { DashboardListener } from '../dashboard/dashboard.listener';
import { DashboardModule } from '../dashboard/dashboard.module';
import { LedgerListener } from '../ledger/ledger.listener';
import { LedgerModule } from '../ledger/ledger.module';
import { OrdersModule } from '../orders/orders.module';
import { ReceiversModule } from '../receivers/receivers.module';
import { SettingsModule } from '../settings/settings.module';
import { LateValues } from './late-values.worker';
import { OrderTransfers } from './order-transfers';
import { PayLinkListeners, type PayLinkListener } from './paylink-listener';
import { PayLinkPaymentsRepository } from './paylink-payments.repository';
import { PayLinkPayments } from './paylink-payments.worker';
import { PayLinksHandlers } from './paylinks.handlers';
import { PayLinksRepository } from './paylinks.repository';
import { ReceiverBalances } from './receiver-balances';
import { SettlePayment } from './settle-payment';
import { TransferClaims } from './transfer-claims';

/** PayLinks, and the transfers that pay them. */
@Module({
  imports: [ChainsModule, DashboardModule, LedgerModule, OrdersModule, ReceiversModule, SettingsModule],
  controllers: [PayLinksHandlers],
  providers: [
    PayLinksRepository,
    PayLinkPaymentsRepository,
    TransferClaims,
    SettlePayment,
    PayLinkPayments,
    LateValues,
    OrderTransfers,
    {
      provide: ReceiverBalances,
      inject: [ServiceConfig, ServiceLogger],
      useFactory: ({ BALANCES_FILE }: MerchantConfig, logger: Logger) =>
        new ReceiverBalances(new Balances(loadBalanceSources(BALANCES_FILE)), logger),
    },
    {
      provide: PayLinkListeners,
      // They run in this order.
      inject: [DashboardListener, LedgerListener],
      useFactory: (...listeners: PayLinkListener[]) => listeners,
    },
  ],
  exports: [OrderTransfers],
})
export class PayLinksModule {}
