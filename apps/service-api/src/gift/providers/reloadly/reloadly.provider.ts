import type { GiftProviderDefinition } from '../gift-provider';
import { ReloadlyAirtime } from './reloadly.airtime';
import { ReloadlyBills } from './reloadly.bills';
import { ReloadlyClient } from './reloadly.client';
import { readReloadlyOptions, reloadlySettings } from './reloadly.config';
import { ReloadlyGiftCards } from './reloadly.gift-cards';
import { ReloadlyRequests } from './reloadly.requests';

/** Reloadly, which sells gift cards, airtime and bills. */
export const reloadly: GiftProviderDefinition<typeof reloadlySettings> = {
  settings: reloadlySettings,
  open: (config, clock) => {
    const options = readReloadlyOptions(config);
    if (options === null) return null;
    const requests = new ReloadlyRequests(new ReloadlyClient(options, clock));
    return {
      giftCards: new ReloadlyGiftCards(requests),
      airtime: new ReloadlyAirtime(requests),
      bills: new ReloadlyBills(requests),
    };
  },
};
