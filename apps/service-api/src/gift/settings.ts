import { integer, text, url, type Settings } from '@tollbridge/config';

const products = { GIFTCARDS: 'gift cards', TOPUPS: 'airtime', UTILITIES: 'bills of utilities' } as const;
type Product = keyof typeof products;

const baseUrl = (description: string, example: string) =>
  url(['http', 'https'], { description: `${description}; empty turns it off`, example, default: '' });

const audience = (product: Product) =>
  text({
    description: `what a token for ${products[product]} is asked for, if not the address itself`,
    example: `https://${product.toLowerCase()}.reloadly.com`,
    default: '',
  });

/** The provider of gift cards, airtime and bills. */
export const giftSettings = {
  RELOADLY_AUTH_URL: baseUrl('Reloadly, where tokens are had', 'https://auth.reloadly.com'),
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
    description: 'how long Reloadly is waited for when it is only asked',
    example: '30',
    default: 30,
    min: 1,
    max: 30,
  }),
  // A failing operator was seen to hold a request for 52 s.
  RELOADLY_PURCHASE_SECONDS: integer({
    description: 'how long Reloadly is waited for when something is bought',
    example: '90',
    default: 90,
    min: 1,
    max: 90,
  }),
} satisfies Settings;
