import { choice, text, UnusableValue, url, type Config } from '@tollbridge/config';
import type { CardIssuer, ConfiguredIssuers } from './card-issuer';
import { issuerNames } from './card';
import { LasoIssuer } from './laso/laso.issuer';
import { LithicIssuer } from './lithic/lithic.issuer';

export const cardSettings = {
  SERVICE_API_CARD_ISSUER: choice(['none', ...issuerNames], {
    description: 'issuer of new virtual cards: none, lithic or laso; cards of the other can still be shown',
    example: 'lithic',
    default: 'none',
  }),
  LITHIC_URL: url(['http', 'https'], {
    description: 'Lithic, for virtual cards; empty turns it off',
    example: 'https://api.lithic.com',
    default: '',
  }),
  LITHIC_API_KEY: text({
    description: 'API key of Lithic, of a program that may read card numbers',
    example: '00000000-0000-0000-0000-000000000000',
    default: '',
    // The key of the simulator; rejected outside of the sandbox.
    sandboxDefault: 'lithic-key-of-the-sandbox',
    isSecret: true,
  }),
  LASO_URL: url(['http', 'https'], {
    description: 'Laso Finance, for virtual cards; empty turns it off',
    example: 'https://laso.finance',
    default: '',
  }),
  LASO_WALLET_KEY: {
    description: 'private key of the wallet that pays for cards of Laso Finance, in USDC on Base',
    example: `0x${'11'.repeat(32)}`,
    default: '',
    isSecret: true,
    read: (value: string) => {
      if (!/^0x[0-9a-fA-F]{64}$/.test(value)) throw new UnusableValue('must be 0x and 64 hex digits');
      return value;
    },
  },
};

type CardConfig = Config<typeof cardSettings>;

export function openIssuers(config: CardConfig, now: () => number): ConfiguredIssuers {
  const { LITHIC_URL, LITHIC_API_KEY, LASO_URL, LASO_WALLET_KEY } = config;
  const all: CardIssuer[] = [];
  if (LITHIC_URL && LITHIC_API_KEY) all.push(new LithicIssuer({ url: LITHIC_URL, apiKey: LITHIC_API_KEY }));
  if (LASO_URL && LASO_WALLET_KEY)
    all.push(new LasoIssuer({ url: LASO_URL, walletKey: LASO_WALLET_KEY, now }));
  const byName = new Map(all.map((issuer) => [issuer.name, issuer]));
  return { byName, chosen: all.find(({ name }) => name === config.SERVICE_API_CARD_ISSUER) };
}
