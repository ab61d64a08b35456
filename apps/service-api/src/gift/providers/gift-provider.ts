import type { Config, Settings } from '@tollbridge/config';
import type { Clock } from '@tollbridge/database';
import type { AirtimeProvider } from '../airtime/airtime-provider';
import type { BillProvider } from '../bills/bill-provider';
import type { GiftCardProvider } from '../gift-cards/gift-card-provider';

/** The adapters of one configured provider. */
export interface GiftProvider {
  giftCards?: GiftCardProvider;
  airtime?: AirtimeProvider;
  bills?: BillProvider;
}

/** An entry of the registry: the settings of a provider, and its adapters. */
export interface GiftProviderDefinition<S extends Settings = Settings> {
  settings: S;
  /**
   * Returns null when the provider is not configured.
   * @throws ConfigurationError when only some of its settings are set
   */
  open(config: Config<S>, clock: Clock): GiftProvider | null;
}
