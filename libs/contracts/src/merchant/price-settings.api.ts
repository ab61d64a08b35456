import { internalFeature, internalOperation } from '@tollbridge/rpc';
import { Integer } from '../decorators';
import { Address } from '../pay-orders/fields';

export class PriceSettingsRequest {
  @Address('Wallet of the merchant') wallet: string;
}

/** The settings of a merchant that apply to prices in a currency. */
export class PriceSettingsReply {
  @Integer('What payers pay above a price, in basis points', { min: 0, max: 10_000, example: 0 })
  spreadBps: number;
}

/** Settings of merchants for orders with a price. */
export const priceSettingsApi = internalFeature('merchant', 'price-settings', {
  priceSettings: internalOperation({
    summary: 'Read how prices of a merchant are converted',
    input: PriceSettingsRequest,
    output: PriceSettingsReply,
  }),
});
