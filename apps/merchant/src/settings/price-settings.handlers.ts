import { Controller } from '@nestjs/common';
import { priceSettingsApi, type PriceSettingsReply, type PriceSettingsRequest } from '@tollbridge/contracts';
import { Handles } from '@tollbridge/rpc';
import { MerchantDefaults } from './merchant-defaults';

/** Settings of merchants for orders with a price. */
@Controller()
@Handles(priceSettingsApi)
export class PriceSettingsHandlers {
  constructor(private readonly defaults: MerchantDefaults) {}

  async priceSettings({ wallet }: PriceSettingsRequest): Promise<PriceSettingsReply> {
    return { spreadBps: await this.defaults.priceSpreadBps(wallet) };
  }
}
