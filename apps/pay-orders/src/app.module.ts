import { Module } from '@nestjs/common';
import { OutboxModule, RetentionModule } from '@tollbridge/bootstrap';
import { KeyBudgetsModule } from '@tollbridge/key-budgets';
import { ChainsModule } from './chains/chains.module';
import { CheckoutModule } from './checkout/checkout.module';
import { CrossChainModule } from './cross-chain/cross-chain.module';
import { FacilitatorModule } from './facilitator/facilitator.module';
import { OrdersModule } from './orders/orders.module';
import { PaymentsModule } from './payments/payments.module';
import { PricesModule } from './prices/prices.module';
import { QuotesModule } from './quotes/quotes.module';
import { RefundsModule } from './refunds/refunds.module';

@Module({
  imports: [
    KeyBudgetsModule,
    OutboxModule,
    RetentionModule,
    ChainsModule,
    CheckoutModule,
    CrossChainModule,
    FacilitatorModule,
    OrdersModule,
    PaymentsModule,
    PricesModule,
    QuotesModule,
    RefundsModule,
  ],
})
export class PayOrdersModule {}
