import { Module } from '@nestjs/common';
import { ServiceConfig } from '@tollbridge/bootstrap';
import { Clock } from '@tollbridge/database';
import type { ServiceApiConfig } from '../config';
import { PurchasesModule } from '../purchases/purchases.module';
import { CardIssuers } from './card-issuer';
import { CardPurchases } from './card-purchases';
import { CardsHandlers } from './cards.handlers';
import { CardsRepository } from './cards.repository';
import { openIssuers } from './settings';

/** Virtual cards, from the configured issuers. */
@Module({
  imports: [PurchasesModule],
  controllers: [CardsHandlers],
  providers: [
    CardsRepository,
    CardPurchases,
    {
      provide: CardIssuers,
      inject: [ServiceConfig, Clock],
      useFactory: (config: ServiceApiConfig, clock: Clock) => openIssuers(config, () => clock.now()),
    },
  ],
  exports: [CardPurchases],
})
export class CardsModule {}
