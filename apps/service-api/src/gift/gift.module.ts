import type { Provider } from '@nestjs/common';
import { ConfigurationError, type Config } from '@tollbridge/config';
import { Clock } from '@tollbridge/database';
import { ServiceConfig } from '@tollbridge/bootstrap';
import type { ServiceApiConfig } from '../config';
import { Airtime } from './airtime';
import { Bills } from './bills';
import { GiftCards } from './gift-cards';
import { GiftCatalogue } from './gift.catalogue';
import { GiftHandlers } from './gift.handlers';
import { GiftPurchases } from './gift-purchases';
import { Reloadly } from './reloadly/reloadly';
import { ReloadlyClient, type ReloadlyApi } from './reloadly/reloadly.client';
import type { giftSettings } from './settings';

const needed = [
  ...(['RELOADLY_AUTH_URL', 'RELOADLY_GIFTCARDS_URL', 'RELOADLY_TOPUPS_URL'] as const),
  ...(['RELOADLY_UTILITIES_URL', 'RELOADLY_CLIENT_ID', 'RELOADLY_CLIENT_SECRET'] as const),
] as const;

type GiftConfig = Config<typeof giftSettings>;

/**
 * The provider, or null without any of its settings.
 * @throws ConfigurationError where only some are there: that was not meant
 */
export function reloadlyClient(config: GiftConfig, clock: Clock): ReloadlyClient | null {
  const missing = needed.filter((name) => config[name] === '');
  if (missing.length === needed.length) return null;
  if (missing.length > 0)
    throw new ConfigurationError(missing.map((name) => `${name} is missing: others of Reloadly are given`));
  const urls: Record<ReloadlyApi, string> = {
    giftcards: config.RELOADLY_GIFTCARDS_URL,
    topups: config.RELOADLY_TOPUPS_URL,
    utilities: config.RELOADLY_UTILITIES_URL,
  };
  const options = {
    authUrl: config.RELOADLY_AUTH_URL,
    urls,
    audiences: {
      giftcards: config.RELOADLY_GIFTCARDS_AUDIENCE || urls.giftcards,
      topups: config.RELOADLY_TOPUPS_AUDIENCE || urls.topups,
      utilities: config.RELOADLY_UTILITIES_AUDIENCE || urls.utilities,
    },
    clientId: config.RELOADLY_CLIENT_ID,
    clientSecret: config.RELOADLY_CLIENT_SECRET,
    readTimeoutMs: config.RELOADLY_READ_SECONDS * 1_000,
    purchaseTimeoutMs: config.RELOADLY_PURCHASE_SECONDS * 1_000,
  };
  return new ReloadlyClient(options, clock);
}

const reloadly = {
  provide: Reloadly,
  inject: [ServiceConfig, Clock],
  useFactory: (config: ServiceApiConfig, clock: Clock) => new Reloadly(reloadlyClient(config, clock)),
};

/** What is bought once in this family. */
export const giftKinds = [GiftCards, Airtime, Bills];
export const giftControllers = [GiftHandlers];
export const giftProviders: Provider[] = [reloadly, GiftCatalogue, GiftPurchases];
