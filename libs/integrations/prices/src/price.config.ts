import { integer, url } from '@tollbridge/config';

/** The settings of prices, for each app with prices. */
export const priceSettings = {
  DEFILLAMA_URL: url(['http', 'https'], {
    description: 'DefiLlama prices, for what the route provider does not price; empty turns them off',
    example: 'https://coins.llama.fi',
    default: '',
  }),
  PRICES_EVERY_SECONDS: integer({
    description:
      'how often the prices of all tokens are read in the background, by one replica for all; 0 reads them only when they are asked for',
    example: '60',
    default: 60,
    min: 0,
    max: 300,
  }),
};
