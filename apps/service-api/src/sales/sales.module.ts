import { Module } from '@nestjs/common';
import { ServiceConfig, ServiceLogger } from '@tollbridge/bootstrap';
import type { ServiceApiConfig } from '../config';
import { GiftModule } from '../gift/gift.module';
import { GiftSales } from '../gift/gift-sales';
import { MailModule } from '../mail/mail.module';
import { MailSales } from '../mail/mail-sales';
import { PayoutsModule } from '../payouts/payouts.module';
import { SmsModule } from '../sms/sms.module';
import { SmsSales } from '../sms/sms-sales';
import { SwapSales } from '../swaps/swap-sales';
import { SaleTokens } from './offer-token';
import { Authorizations } from './payments/authorizations';
import { ExactPayments } from './payments/exact-payments';
import { NanoPayments } from './payments/nano-payments';
import { PaymentSchemes } from './payments/payment-schemes';
import { SaleSettlement } from './payments/sale-settlement';
import { SolanaPayments } from './payments/solana-payments';
import { SaleFigures } from './sale-figures';
import { SaleFulfilment } from './sale-fulfilment';
import { SaleOffers } from './sale-offers';
import { Sales } from './sales';
import { SalesHandlers } from './sales.handlers';
import { SalesRepository } from './sales.repository';
import { SalesWorker } from './sales.worker';
import { openSolana, SolanaSales } from './solana/open-solana';
import { SoldResponses } from './sold-responses';
import { SoldServices } from './sold-services';
import { UnclaimedRepository } from './unclaimed/unclaimed.repository';
import { UnclaimedWorker } from './unclaimed/unclaimed.worker';
import { WaysToPay } from './ways-to-pay';

/** Sells operations to clients without an account, paid by x402. */
@Module({
  imports: [GiftModule, SmsModule, MailModule, PayoutsModule],
  controllers: [SalesHandlers],
  providers: [
    {
      provide: SoldServices,
      inject: [SmsSales, GiftSales, MailSales, SwapSales],
      useFactory: (sms: SmsSales, gift: GiftSales, mail: MailSales, swaps: SwapSales) =>
        new SoldServices(
          [sms, gift, mail, swaps].flatMap(({ services }) => services),
          sms.reads,
        ),
    },
    SwapSales,
    SoldResponses,
    SalesRepository,
    { provide: SolanaSales, inject: [ServiceConfig, ServiceLogger], useFactory: openSolana },
    {
      provide: SaleTokens,
      inject: [ServiceConfig],
      useFactory: (config: ServiceApiConfig) => new SaleTokens(config.SERVICE_API_REPLY_SECRET),
    },
    WaysToPay,
    Authorizations,
    ExactPayments,
    NanoPayments,
    SolanaPayments,
    PaymentSchemes,
    SaleSettlement,
    SaleOffers,
    SaleFulfilment,
    Sales,
    SaleFigures,
    SalesWorker,
    UnclaimedRepository,
    UnclaimedWorker,
  ],
})
export class SalesModule {}
