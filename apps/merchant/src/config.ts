import { ConfigurationError, loadConfig, text, type Config } from '@tollbridge/config';
import { databaseSettings, managementSettings, serviceSettings } from '@tollbridge/service';

export const settings = {
  ...managementSettings,
  ...serviceSettings('MERCHANT', { managementPort: 9103 }),
  ...databaseSettings('MERCHANT'),
  MERCHANT_KEY_PEPPER: text({
    description:
      'what secrets of API keys are hashed with, at least 32 random characters; with another one no secret is known',
    example: 'REPLACE_ME_with_at_least_32_random_characters',
    minLength: 32,
    isSecret: true,
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
  if (config.MERCHANT_SANDBOX_WORLD_FILE !== '' && config.environment !== 'sandbox')
    throw new ConfigurationError([
      `MERCHANT_SANDBOX_WORLD_FILE must not be set with TOLLBRIDGE_ENV=${config.environment}`,
    ]);
  return config;
}
