import { Module } from '@nestjs/common';
import { PurchaseOutcomes } from './purchase-outcomes';
import { Purchases } from './purchases';
import { PurchasesHandlers } from './purchases.handlers';
import { PurchasesRepository } from './purchases.repository';

/** Buys once per reference, for every feature that sells from a provider. */
@Module({
  controllers: [PurchasesHandlers],
  providers: [PurchasesRepository, PurchaseOutcomes, Purchases],
  exports: [PurchasesRepository, Purchases],
})
export class PurchasesModule {}
