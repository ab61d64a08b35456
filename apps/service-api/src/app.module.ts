import { Module } from '@nestjs/common';
import { OutboxModule, RetentionModule } from '@tollbridge/bootstrap';
import { KeyBudgetsModule } from '@tollbridge/key-budgets';
import { CardsModule } from './cards/cards.module';
import { CatalogModule } from './catalog/catalog.module';
import { GiftModule } from './gift/gift.module';
import { HooksModule } from './hooks/hooks.module';
import { MailModule } from './mail/mail.module';
import { PayoutsModule } from './payouts/payouts.module';
import { PurchasePollingModule } from './purchases/purchase-polling.module';
import { PurchasesModule } from './purchases/purchases.module';
import { SalesModule } from './sales/sales.module';
import { SmsModule } from './sms/sms.module';

@Module({
  imports: [
    OutboxModule,
    RetentionModule,
    KeyBudgetsModule,
    PurchasesModule,
    PurchasePollingModule,
    GiftModule,
    SmsModule,
    CardsModule,
    MailModule,
    PayoutsModule,
    CatalogModule,
    HooksModule,
    SalesModule,
  ],
})
export class ServiceApiModule {}
