import { Module } from '@nestjs/common';
import { ChainsModule } from '../chains/chains.module';
import { ReceiversModule } from '../receivers/receivers.module';
import { WebhookEndpointsModule } from '../webhooks/webhook-endpoints.module';
import { MerchantDefaults } from './merchant-defaults';
import { PriceSettingsHandlers } from './price-settings.handlers';
import { SettingsHandlers } from './settings.handlers';
import { SettingsRepository } from './settings.repository';
import { StorefrontsHandlers } from './storefronts.handlers';

/** The settings of merchants, and the defaults that other features use. */
@Module({
  imports: [ChainsModule, ReceiversModule, WebhookEndpointsModule],
  controllers: [SettingsHandlers, PriceSettingsHandlers, StorefrontsHandlers],
  providers: [SettingsRepository, MerchantDefaults],
  exports: [SettingsRepository, MerchantDefaults],
})
export class SettingsModule {}
