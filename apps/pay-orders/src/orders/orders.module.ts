import { Module } from '@nestjs/common';
import { ChainsModule } from '../chains/chains.module';
import { CrossChainModule } from '../cross-chain/cross-chain.module';
import { PricesModule } from '../prices/prices.module';
import { RatesModule } from '../rates/rates.module';
import { RefundsModule } from '../refunds/refunds.module';
import { DirectOrders } from './direct-orders';
import { ApprovalsHandlers } from './operations/approvals.handlers';
import { LateValues } from './late-values.worker';
import { OrderWalletCalls } from './operations/order-wallet-calls';
import { OrderFigures } from './storage/order-figures';
import { OrderHistoryHandlers } from './operations/order-history.handlers';
import { OrderHistoryRepository } from './storage/order-history.repository';
import { OrdersHandlers } from './operations/orders.handlers';
import { OrdersRepository } from './storage/orders.repository';
import { OrderExpiry } from './orders.worker';
import { PayerlessOrdersHandlers } from './operations/payerless-orders.handlers';
import { OrderPlacement } from './order-placement';
import { OrderPrices } from './order-prices';
import { SandboxOrdersHandlers } from './operations/sandbox-orders.handlers';
import { SubmittedTransactions } from './submitted-transactions';
import { TransactionReports } from './transaction-reports';
import { TransactionReportsRepository } from './storage/transaction-reports.repository';

/** Orders: creation, reports of transactions, expiry and history. */
@Module({
  imports: [ChainsModule, CrossChainModule, PricesModule, RatesModule, RefundsModule],
  controllers: [
    ApprovalsHandlers,
    OrderHistoryHandlers,
    OrdersHandlers,
    PayerlessOrdersHandlers,
    SandboxOrdersHandlers,
  ],
  providers: [
    DirectOrders,
    LateValues,
    OrderWalletCalls,
    OrderExpiry,
    OrderFigures,
    OrderHistoryRepository,
    OrdersRepository,
    OrderPlacement,
    OrderPrices,
    SubmittedTransactions,
    TransactionReports,
    TransactionReportsRepository,
  ],
  exports: [OrdersRepository],
})
export class OrdersModule {}
