import {
  type Config,
  ConfigurationError,
  integer,
  loadConfig,
  publicUrl,
  text,
  url,
} from '@tollbridge/config';
import { priceSettings } from '@tollbridge/prices';
import { databaseSettings, managementSettings, serviceSettings, streamSettings } from '@tollbridge/bootstrap';

export const settings = {
  ...managementSettings,
  ...serviceSettings('MERCHANT', { managementPort: 9103 }),
  ...databaseSettings('MERCHANT'),
  ...streamSettings('MERCHANT'),
  CHAINS_FILE: text({
    description:
      'JSON file of the chains with their nodes: there payments of PayLinks are verified (on others the merchant confirms them by hand), and contract wallets are asked when they sign in',
    example: './chains.json',
    // Outside of the sandbox a file without chains says that it is meant.
    sandboxDefault: '',
  }),
  BALANCES_FILE: text({
    description: 'JSON file of where balances of chains without own nodes are read; empty reads none of them',
    example: './balances.json',
    default: '',
  }),
  ...priceSettings,
  MERCHANT_KEY_PEPPER: text({
    description:
      'what secrets of API keys are hashed with, at least 32 random characters; with another one no secret is known',
    example: 'REPLACE_ME_with_at_least_32_random_characters',
    minLength: 32,
    isSecret: true,
  }),
  GATEWAY_PUBLIC_URL: publicUrl({
    description: 'the address under which callers reach the public API',
    example: 'https://api.example.com',
    sandboxDefault: 'http://127.0.0.1:3000',
  }),
  MERCHANT_SIGN_IN_URL: url(['http', 'https'], {
    description: 'where people sign in, if not at GATEWAY_PUBLIC_URL: wallets show and sign its domain',
    example: 'https://dashboard.example.com',
    default: '',
  }),
  MERCHANT_SESSION_DAYS: integer({
    description: 'how long a wallet that has signed in stays so',
    example: '7',
    default: 7,
    min: 1,
    max: 90,
  }),
  MERCHANT_SANDBOX_WORLD_FILE: text({
    description: 'sandbox only: the JSON file of the local world, whose demo merchant has a key',
    example: './.tollbridge/world.json',
    default: '',
  }),
};

export type MerchantConfig = Config<typeof settings>;

/** @throws ConfigurationError also for what belongs to the sandbox and is set elsewhere: its secrets are known. */
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
