import { Module } from '@nestjs/common';
import { EventConsumersModule } from '@tollbridge/bootstrap';
import { Budgets } from './budgets';
import { BudgetsHandlers } from './budgets.handlers';
import { BudgetsRepository } from './budgets.repository';
import { OrderSpends } from './order-spends';
import { PayoutSpends } from './payout-spends.worker';
import { PurchaseSpends } from './purchase-spends.worker';
import { SpendReconciliation } from './spend-reconciliation.worker';
import { TransactionSpends } from './transaction-spends.worker';

/** Budgets of API keys: reservations, and the events that capture or release them. */
@Module({
  imports: [EventConsumersModule],
  controllers: [BudgetsHandlers],
  providers: [
    BudgetsRepository,
    Budgets,
    OrderSpends,
    TransactionSpends,
    PurchaseSpends,
    PayoutSpends,
    SpendReconciliation,
  ],
  exports: [BudgetsRepository, OrderSpends],
})
export class BudgetsModule {}
