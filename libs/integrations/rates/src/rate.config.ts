import { integer, text, UnusableValue, url, type Config, type Setting } from '@tollbridge/config';
import { EuropeanCentralBank } from './european-central-bank';
import type { RateSource } from './fiat-rate';
import { OpenExchangeRates } from './open-exchange-rates';

const urlName = 'OPEN_EXCHANGE_RATES_URL';
const appIdName = 'OPEN_EXCHANGE_RATES_APP_ID';

/** The settings of exchange rates, for each app with prices in currencies. */
export const rateSettings = {
  ECB_RATES_URL: url(['http', 'https'], {
    description:
      'reference rates of the European Central Bank, about 30 currencies once a working day; empty turns them off',
    example: 'https://www.ecb.europa.eu',
    default: '',
  }),
  [urlName]: needing(
    appIdName,
    url(['http', 'https'], {
      description:
        'Open Exchange Rates, about 160 currencies every hour; preferred to the European Central Bank; empty turns them off',
      example: 'https://openexchangerates.org',
      default: '',
    }),
  ),
  [appIdName]: needing(
    urlName,
    appId({
      description: 'App ID of the account at Open Exchange Rates, 32 hexadecimal digits',
      example: '0123456789abcdef0123456789abcdef',
      default: '',
      isSecret: true,
    }),
  ),
  RATES_EVERY_SECONDS: integer({
    description:
      'how often the exchange rates are read in the background, by one replica for all; each read is one request of the quota at Open Exchange Rates',
    example: '600',
    default: 600,
    min: 5,
    max: 3_600,
  }),
  RATE_JUMP_BPS: integer({
    description:
      'a currency that moves further than this between two reads, in basis points, has no rate until a second source confirms it',
    example: '1000',
    default: 1_000,
    min: 1,
    max: 10_000,
  }),
  STABLECOIN_PEG_BAND_BPS: integer({
    description:
      'how far the price of a stablecoin may be from its peg to be converted 1:1, in basis points; 0 converts it at its market price',
    example: '50',
    default: 0,
    min: 0,
    max: 500,
  }),
};

/** Returns the configured sources in order of preference: the one that publishes every hour before the daily one. */
export function rateSources({
  ECB_RATES_URL: ecbUrl,
  OPEN_EXCHANGE_RATES_URL: baseUrl,
  OPEN_EXCHANGE_RATES_APP_ID: appId,
}: Pick<Config<typeof rateSettings>, 'ECB_RATES_URL' | typeof urlName | typeof appIdName>): RateSource[] {
  return [
    ...(baseUrl ? [new OpenExchangeRates({ baseUrl, appId })] : []),
    ...(ecbUrl ? [new EuropeanCentralBank(ecbUrl)] : []),
  ];
}

/** Rejects the setting without another one, given by its variable or as a file. */
function needing(other: string, setting: Setting<string>): Setting<string> {
  return {
    ...setting,
    read(value, env) {
      // A check of one setting alone has no environment.
      if (env && !env[other] && !env[`${other}_FILE`]) throw new UnusableValue(`needs ${other} too`);
      return setting.read(value, env);
    },
  };
}

function appId(options: Parameters<typeof text>[0]): Setting<string> {
  return {
    ...text(options),
    accepts: '32 hexadecimal digits',
    read(value) {
      if (!/^[0-9a-fA-F]{32}$/.test(value)) throw new UnusableValue('must be 32 hexadecimal digits');
      return value;
    },
  };
}
