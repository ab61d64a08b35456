import { Module } from '@nestjs/common';
import { EventConsumersModule } from '@tollbridge/bootstrap';
import { BudgetsModule } from '../budgets/budgets.module';
import { OrderSpends } from '../budgets/order-spends';
import { DashboardListener } from '../dashboard/dashboard.listener';
import { DashboardModule } from '../dashboard/dashboard.module';
import { ExceptionsModule } from '../exceptions/exceptions.module';
import { OrderExceptions } from '../exceptions/order-exceptions';
import { LedgerListener } from '../ledger/ledger.listener';
import { LedgerModule } from '../ledger/ledger.module';
import { OrderTransfers } from '../paylinks/payments/order-transfers';
import { PayLinksModule } from '../paylinks/paylinks.module';
import { PaymentsOfOrders } from '../payments/payments.listener';
import { PaymentsModule } from '../payments/payments.module';
import { OrderWebhooks } from '../webhooks/order-webhooks';
import { WebhooksModule } from '../webhooks/webhooks.module';
import type { OrderListener } from './order-change';
import { OrdersModule } from './orders.module';
import { OrderListeners, OrdersWorker } from './orders.worker';

/** Consumes order events, and runs all listeners of a batch in one transaction. */
@Module({
  imports: [
    EventConsumersModule,
    OrdersModule,
    PayLinksModule,
    BudgetsModule,
    PaymentsModule,
    DashboardModule,
    LedgerModule,
    WebhooksModule,
    ExceptionsModule,
  ],
  providers: [
    OrdersWorker,
    {
      provide: OrderListeners,
      // The listeners run in this order. OrderTransfers is first, because it locks the row of a PayLink before the rows
      // of the dashboard and the ledger.
      inject: [
        OrderTransfers,
        OrderSpends,
        PaymentsOfOrders,
        DashboardListener,
        LedgerListener,
        OrderWebhooks,
        OrderExceptions,
      ],
      useFactory: (...listeners: OrderListener[]) => listeners,
    },
  ],
})
export class OrderEventsModule {}
