import { integer, text, url, type Config } from '@tollbridge/config';

export const chainSettings = {
  TONCENTER_URL: url(['http', 'https'], {
    description:
      "JSON-RPC of toncenter's API v2, by which deposits are found and sellers are paid; empty does neither",
    example: 'https://toncenter.com/api/v2/jsonRPC',
    default: '',
  }),
  TONCENTER_API_KEY: text({
    description: 'key of toncenter; without one it answers one request in a second',
    example: 'REPLACE_ME',
    default: '',
    minLength: 0,
    isSecret: true,
  }),
  NANOPAY_CHAIN_LOOK_MS: integer({
    description: 'how often the chain is looked at for deposits and for what was paid out, in milliseconds',
    example: '5000',
    default: 5_000,
    sandboxDefault: 1_000,
    min: 100,
    max: 3_600_000,
  }),
};

export type ChainConfig = Config<typeof chainSettings>;
