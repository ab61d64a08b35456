import { Module } from '@nestjs/common';
import { CardPurchases } from '../cards/card-purchases';
import { CardsModule } from '../cards/cards.module';
import { Airtime } from '../gift/airtime/airtime';
import { Bills } from '../gift/bills/bills';
import { GiftCards } from '../gift/gift-cards/gift-cards';
import { GiftModule } from '../gift/gift.module';
import { AwaitedNumberKind, NumberKind } from '../sms/numbers/number-kinds';
import { MessageKind } from '../sms/send/message-kind';
import { SmsModule } from '../sms/sms.module';
import { PurchaseKinds, type PurchaseKind } from './purchase-kind';
import { PurchasePollsRepository } from './purchase-polls.repository';
import { PurchasesModule } from './purchases.module';
import { PurchasesWorker } from './purchases.worker';

/** Polls the purchases of all features. Separate from PurchasesModule, because those features import that module. */
@Module({
  imports: [PurchasesModule, GiftModule, SmsModule, CardsModule],
  providers: [
    {
      provide: PurchaseKinds,
      inject: [GiftCards, Airtime, Bills, NumberKind, AwaitedNumberKind, MessageKind, CardPurchases],
      useFactory: (...kinds: PurchaseKind[]) => kinds,
    },
    PurchasePollsRepository,
    PurchasesWorker,
  ],
  exports: [PurchasesWorker],
})
export class PurchasePollingModule {}
