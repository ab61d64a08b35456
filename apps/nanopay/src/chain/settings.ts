import { integer, text, url, type Config } from '@tollbridge/config';

export const chainSettings = {
  TONCENTER_URL: url(['http', 'https'], {
    description:
      'JSON-RPC of toncenter API v2, used to find deposits and to pay sellers; empty disables both',
    example: 'https://toncenter.com/api/v2/jsonRPC',
    default: '',
  }),
  TONCENTER_API_KEY: text({
    description: 'API key of toncenter; without one it allows one request per second',
    example: 'REPLACE_ME',
    default: '',
    minLength: 0,
    isSecret: true,
  }),
  NANOPAY_CHAIN_LOOK_MS: integer({
    description: 'poll interval of the chain for deposits and payouts, in milliseconds',
    example: '5000',
    default: 5_000,
    sandboxDefault: 1_000,
    min: 100,
    max: 3_600_000,
  }),
};

export type ChainConfig = Config<typeof chainSettings>;
