import {
  type Config,
  ConfigurationError,
  integer,
  loadConfig,
  publicUrl,
  rotatingSecret,
  text,
  url,
} from '@tollbridge/config';
import { priceSettings } from '@tollbridge/prices';
import { rateSettings } from '@tollbridge/rates';
import {
  databaseSettings,
  managementSettings,
  retentionDays,
  retentionSettings,
  poolingSettings,
  serviceSettings,
  streamSettings,
} from '@tollbridge/bootstrap';

export const settings = {
  ...managementSettings,
  ...serviceSettings('MERCHANT', { managementPort: 9103 }),
  ...databaseSettings('MERCHANT'),
  ...poolingSettings('MERCHANT'),
  ...streamSettings('MERCHANT'),
  ...retentionSettings,
  RETENTION_WEBHOOK_MESSAGES_DAYS: retentionDays({
    description: 'how long delivered and exhausted webhook messages stay, to be listed and replayed',
    default: 90,
    // With 14 attempts a message is retried for 72 hours, and is exhausted after 96 hours.
    min: 14,
  }),
  CHAINS_FILE: text({
    description:
      'JSON file of the chains with their nodes: payments of PayLinks are verified there (on other chains the merchant confirms them by hand), and so are signatures of contract wallets',
    example: './chains.json',
    // Outside the sandbox, an operator without chains must configure an empty file explicitly.
    sandboxDefault: '',
  }),
  BALANCES_FILE: text({
    description:
      'JSON file of balance sources for chains without own nodes; empty: no balances are read there',
    example: './balances.json',
    default: '',
  }),
  ...priceSettings,
  ...rateSettings,
  MERCHANT_KEY_PEPPER: rotatingSecret({
    description:
      'pepper of the secrets of API keys, sessions and webhooks, at least 32 random characters; secrets under a pepper that is not given are invalid',
    example: 'REPLACE_ME_with_at_least_32_random_characters',
    minLength: 32,
  }),
  GATEWAY_PUBLIC_URL: publicUrl({
    description: 'the URL of the public API for clients',
    example: 'https://api.example.com',
    sandboxDefault: 'http://127.0.0.1:3000',
  }),
  MERCHANT_SIGN_IN_URL: url(['http', 'https'], {
    description:
      'the page where wallets sign in, if not GATEWAY_PUBLIC_URL: wallets show and sign its domain',
    example: 'https://dashboard.example.com',
    default: '',
  }),
  MERCHANT_SESSION_DAYS: integer({
    description: 'days until a session of a wallet expires',
    example: '7',
    default: 7,
    min: 1,
    max: 90,
  }),
  MERCHANT_SANDBOX_WORLD_FILE: text({
    description: 'sandbox only: the JSON file of the sandbox state, with the API key of the demo merchant',
    example: './.tollbridge/world.json',
    default: '',
  }),
};

export type MerchantConfig = Config<typeof settings>;

/**
 * @throws ConfigurationError also for sandbox settings in other environments, since the sandbox's secrets are public
 */
export function readConfig(env?: NodeJS.ProcessEnv): MerchantConfig {
  const config = loadConfig(settings, env);
  const { environment, MERCHANT_SANDBOX_WORLD_FILE: worldFile, MERCHANT_SIGN_IN_URL: signInUrl } = config;
  const problems: string[] = [];
  if (worldFile !== '' && environment !== 'sandbox')
    problems.push(`MERCHANT_SANDBOX_WORLD_FILE must not be set with TOLLBRIDGE_ENV=${environment}`);
  if ((signInUrl || config.GATEWAY_PUBLIC_URL).includes(','))
    problems.push(`${signInUrl ? 'MERCHANT_SIGN_IN_URL' : 'GATEWAY_PUBLIC_URL'} must be one URL`);
  if (problems.length > 0) throw new ConfigurationError(problems);
  return config;
}
