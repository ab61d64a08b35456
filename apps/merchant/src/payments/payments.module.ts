import { Module } from '@nestjs/common';
import { ChainsModule } from '../chains/chains.module';
import { PayLinkRecordsModule } from '../paylinks/paylink-records.module';
import { RatesModule } from '../rates/rates.module';
import { SettingsModule } from '../settings/settings.module';
import { MerchantPaymentsHandlers } from './merchant-payments.handlers';
import { PaymentExecution } from './attempts/payment-execution';
import { OptionQuotes } from './options/option-quotes';
import { PaymentAttemptsHandlers } from './attempts/payment-attempts.handlers';
import { PaymentAttemptsRepository } from './attempts/payment-attempts.repository';
import { PaymentAttemptsWorker } from './attempts/payment-attempts.worker';
import { PaymentReferencesModule } from './requests/payment-references.module';
import { PaymentRequestsHandlers } from './requests/payment-requests.handlers';
import { PaymentRequestsRepository } from './requests/payment-requests.repository';
import { PaymentPagesHandlers, PaymentsHandlers } from './payments.handlers';
import { PaymentsOfOrders } from './payments.listener';
import { PaymentsRepository } from './payments.repository';
import { UnplacedPayments } from './payments.worker';
import { PaymentReading } from './payment-reading';
import { RefundChains } from './options/refund-chains';
import { RequestAmounts } from './requests/request-amounts';
import { RequestReceivers } from './requests/request-receivers';

/** Payment requests and their payments. */
@Module({
  imports: [ChainsModule, RatesModule, PayLinkRecordsModule, SettingsModule, PaymentReferencesModule],
  controllers: [
    PaymentRequestsHandlers,
    MerchantPaymentsHandlers,
    PaymentsHandlers,
    PaymentPagesHandlers,
    PaymentAttemptsHandlers,
  ],
  providers: [
    PaymentRequestsRepository,
    PaymentsRepository,
    PaymentAttemptsRepository,
    PaymentAttemptsWorker,
    OptionQuotes,
    RefundChains,
    RequestReceivers,
    RequestAmounts,
    PaymentReading,
    PaymentExecution,
    UnplacedPayments,
    PaymentsOfOrders,
  ],
  exports: [PaymentsOfOrders, PaymentRequestsRepository, RequestAmounts],
})
export class PaymentsModule {}
