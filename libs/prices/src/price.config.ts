import { url } from '@tollbridge/config';

/** The settings of the second source of prices, for the app that uses it. */
export const priceSettings = {
  DEFILLAMA_URL: url(['http', 'https'], {
    description: 'DefiLlama prices, for what the route provider does not price; empty turns them off',
    example: 'https://coins.llama.fi',
    default: '',
  }),
};
