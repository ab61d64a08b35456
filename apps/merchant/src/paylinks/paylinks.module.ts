import { Module } from '@nestjs/common';
import { Balances, loadBalanceSources } from '@tollbridge/balances';
import { ServiceConfig, ServiceLogger } from '@tollbridge/bootstrap';
import type { Logger } from '@tollbridge/observability';
import { ChainNodes } from '../chains/chain-nodes';
import { ChainsModule } from '../chains/chains.module';
import type { MerchantConfig } from '../config';
import { OrdersModule } from '../orders/orders.module';
import { PaymentsModule } from '../payments/payments.module';
import { ReceiversModule } from '../receivers/receivers.module';
import { SettingsModule } from '../settings/settings.module';
import { LateValues } from './payments/late-values.worker';
import { OrderTransfers } from './payments/order-transfers';
import { OtherNetworks } from './payments/other-networks';
import { PayLinkPayments } from './payments/paylink-payments.worker';
import { PayLinkRetention } from './payments/paylink-retention.worker';
import { PayLinkRecordsModule } from './paylink-records.module';
import { PayLinkFacts } from './paylink-facts';
import { PayLinksHandlers } from './paylinks.handlers';
import { PayLinkPaymentsHandlers } from './payments/paylink-payments.handlers';
import { ReceiverBalances } from './payments/receiver-balances';
import { ReportedTransactions } from './payments/reported-transactions';
import { PaymentSettlement } from './payments/payment-settlement';
import { SettlementTransactions } from './payments/settlement-transactions';
import { TransferClaims } from './payments/transfer-claims';
import { PublicPayLinksHandlers } from './public-paylinks.handlers';
import { RatesModule } from '../rates/rates.module';

/** PayLinks, and the transfers that pay them. */
@Module({
  imports: [
    ChainsModule,
    OrdersModule,
    PayLinkRecordsModule,
    PaymentsModule,
    RatesModule,
    ReceiversModule,
    SettingsModule,
  ],
  controllers: [PayLinksHandlers, PublicPayLinksHandlers, PayLinkPaymentsHandlers],
  providers: [
    PayLinkFacts,
    TransferClaims,
    SettlementTransactions,
    PaymentSettlement,
    OtherNetworks,
    ReportedTransactions,
    PayLinkPayments,
    PayLinkRetention,
    LateValues,
    OrderTransfers,
    {
      provide: ReceiverBalances,
      inject: [ChainNodes, ServiceConfig, ServiceLogger],
      useFactory: (chains: ChainNodes, { BALANCES_FILE }: MerchantConfig, logger: Logger) =>
        new ReceiverBalances(chains, new Balances(loadBalanceSources(BALANCES_FILE)), logger),
    },
  ],
  exports: [OrderTransfers],
})
export class PayLinksModule {}
