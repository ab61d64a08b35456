import { Module } from '@nestjs/common';
import { ServiceConfig } from '@tollbridge/bootstrap';
import type { Config } from '@tollbridge/config';
import { Clock } from '@tollbridge/database';
import { PurchasesModule } from '../purchases/purchases.module';
import { Airtime } from './airtime/airtime';
import { AirtimeProviders } from './airtime/airtime-provider';
import { TopUps } from './airtime/top-ups';
import { BillPayments } from './bills/bill-payments';
import { BillProviders } from './bills/bill-provider';
import { Bills } from './bills/bills';
import { GiftCardOrders } from './gift-cards/gift-card-orders';
import { GiftCardProviders } from './gift-cards/gift-card-provider';
import { GiftCards } from './gift-cards/gift-cards';
import { GiftCatalogue } from './gift.catalogue';
import { GiftHandlers } from './gift.handlers';
import { GiftPurchases } from './gift-purchases';
import { GiftSales } from './gift-sales';
import type { GiftProvider } from './providers/gift-provider';
import { giftProviderDefinitions, openGiftProviders, type giftSettings } from './providers/registry';

const OpenGiftProviders = Symbol('OpenGiftProviders');

/** Gift cards, airtime and bills, from the providers of the registry. */
@Module({
  imports: [PurchasesModule],
  controllers: [GiftHandlers],
  providers: [
    {
      provide: OpenGiftProviders,
      inject: [ServiceConfig, Clock],
      useFactory: (config: Config<typeof giftSettings>, clock: Clock) =>
        openGiftProviders(giftProviderDefinitions, config, clock),
    },
    {
      provide: GiftCardProviders,
      inject: [OpenGiftProviders],
      useFactory: (all: GiftProvider[]) => new GiftCardProviders(all.flatMap((it) => it.giftCards ?? [])),
    },
    {
      provide: AirtimeProviders,
      inject: [OpenGiftProviders],
      useFactory: (all: GiftProvider[]) => new AirtimeProviders(all.flatMap((it) => it.airtime ?? [])),
    },
    {
      provide: BillProviders,
      inject: [OpenGiftProviders],
      useFactory: (all: GiftProvider[]) => new BillProviders(all.flatMap((it) => it.bills ?? [])),
    },
    GiftCatalogue,
    GiftPurchases,
    GiftCardOrders,
    TopUps,
    BillPayments,
    GiftCards,
    Airtime,
    Bills,
    GiftSales,
  ],
  exports: [GiftCards, Airtime, Bills, GiftSales],
})
export class GiftModule {}
