import { Module } from '@nestjs/common';
import { OutboxModule, RetentionModule } from '@tollbridge/bootstrap';
import { AuthModule } from './auth/auth.module';
import { BudgetsModule } from './budgets/budgets.module';
import { DashboardModule } from './dashboard/dashboard.module';
import { ExceptionsModule } from './exceptions/exceptions.module';
import { KeysModule } from './keys/keys.module';
import { LedgerModule } from './ledger/ledger.module';
import { OrderEventsModule } from './orders/order-events.module';
import { PayLinksModule } from './paylinks/paylinks.module';
import { PaymentsModule } from './payments/payments.module';
import { PepperRotationModule } from './peppers/pepper-rotation.module';
import { ReceiversModule } from './receivers/receivers.module';
import { SettingsModule } from './settings/settings.module';
import { WebhooksModule } from './webhooks/webhooks.module';

@Module({
  imports: [
    OutboxModule,
    RetentionModule,
    AuthModule,
    KeysModule,
    BudgetsModule,
    ReceiversModule,
    SettingsModule,
    PaymentsModule,
    PayLinksModule,
    WebhooksModule,
    DashboardModule,
    LedgerModule,
    ExceptionsModule,
    OrderEventsModule,
    PepperRotationModule,
  ],
})
export class MerchantModule {}
