import { loadConfig, type Config } from '@tollbridge/config';
import { managementSettings, serviceSettings } from '@tollbridge/service';

export const settings = {
  ...managementSettings,
  ...serviceSettings('MERCHANT', { managementPort: 9103 }),
};

export type MerchantConfig = Config<typeof settings>;

export function readConfig(env?: NodeJS.ProcessEnv): MerchantConfig {
  return loadConfig(settings, env);
}
