import { Module } from '@nestjs/common';
import { CardsModule } from '../cards/cards.module';
import { PurchasePollingModule } from '../purchases/purchase-polling.module';
import { SmsModule } from '../sms/sms.module';
import { PacedLookups } from './paced-lookups';
import { ProviderHooksHandlers } from './provider-hooks.handlers';

/** Receives webhooks of providers. */
@Module({
  imports: [PurchasePollingModule, CardsModule, SmsModule],
  controllers: [ProviderHooksHandlers],
  providers: [PacedLookups],
})
export class HooksModule {}
