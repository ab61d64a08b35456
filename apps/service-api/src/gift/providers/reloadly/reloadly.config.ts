import { ConfigurationError, integer, text, url, type Config, type Settings } from '@tollbridge/config';
import type { ReloadlyApi, ReloadlyOptions } from './reloadly.client';

/** Stored with each purchase. */
export const reloadlyName = 'reloadly';

// A failing operator was observed to hold a request for 52 s.
export const reloadlySettleMs = 120_000;

const products = { GIFTCARDS: 'gift cards', TOPUPS: 'airtime', UTILITIES: 'bills of utilities' } as const;
type Product = keyof typeof products;

const baseUrl = (description: string, example: string) =>
  url(['http', 'https'], { description: `${description}; empty turns it off`, example, default: '' });

const audience = (product: Product) =>
  text({
    description: `audience of a token for ${products[product]}, when it differs from the URL`,
    example: `https://${product.toLowerCase()}.reloadly.com`,
    default: '',
  });

export const reloadlySettings = {
  RELOADLY_AUTH_URL: baseUrl('token endpoint of Reloadly', 'https://auth.reloadly.com'),
  RELOADLY_GIFTCARDS_URL: baseUrl('Reloadly gift cards', 'https://giftcards.reloadly.com'),
  RELOADLY_TOPUPS_URL: baseUrl('Reloadly airtime', 'https://topups.reloadly.com'),
  RELOADLY_UTILITIES_URL: baseUrl('Reloadly utilities', 'https://utilities.reloadly.com'),
  RELOADLY_GIFTCARDS_AUDIENCE: audience('GIFTCARDS'),
  RELOADLY_TOPUPS_AUDIENCE: audience('TOPUPS'),
  RELOADLY_UTILITIES_AUDIENCE: audience('UTILITIES'),
  RELOADLY_CLIENT_ID: text({
    description: 'client id of the account at Reloadly',
    example: 'your-client-id',
    default: '',
  }),
  RELOADLY_CLIENT_SECRET: text({
    description: 'client secret of the account at Reloadly',
    example: 'your-client-secret',
    default: '',
    isSecret: true,
  }),
  RELOADLY_READ_SECONDS: integer({
    description: 'time-out of a read at Reloadly',
    example: '30',
    default: 30,
    min: 1,
    max: 30,
  }),
  // A failing operator was observed to hold a request for 52 s.
  RELOADLY_PURCHASE_SECONDS: integer({
    description: 'time-out of a purchase at Reloadly',
    example: '90',
    default: 90,
    min: 1,
    max: 90,
  }),
} satisfies Settings;

const required = [
  'RELOADLY_AUTH_URL',
  'RELOADLY_GIFTCARDS_URL',
  'RELOADLY_TOPUPS_URL',
  'RELOADLY_UTILITIES_URL',
  'RELOADLY_CLIENT_ID',
  'RELOADLY_CLIENT_SECRET',
] as const;

/**
 * Returns null when none of the required settings is set.
 * @throws ConfigurationError when only some of them are set
 */
export function readReloadlyOptions(config: Config<typeof reloadlySettings>): ReloadlyOptions | null {
  const missing = required.filter((name) => config[name] === '');
  if (missing.length === required.length) return null;
  if (missing.length > 0)
    throw new ConfigurationError(
      missing.map((name) => `${name} is missing, but other settings of Reloadly are set`),
    );
  const urls: Record<ReloadlyApi, string> = {
    giftcards: config.RELOADLY_GIFTCARDS_URL,
    topups: config.RELOADLY_TOPUPS_URL,
    utilities: config.RELOADLY_UTILITIES_URL,
  };
  return {
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
}
