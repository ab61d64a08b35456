import { loadConfig, type Config } from '@tollbridge/config';
import { managementSettings, serviceSettings } from '@tollbridge/service';

export const settings = {
  ...managementSettings,
  ...serviceSettings('NANOPAY', { managementPort: 9105 }),
};

export type NanopayConfig = Config<typeof settings>;

export function readConfig(env?: NodeJS.ProcessEnv): NanopayConfig {
  return loadConfig(settings, env);
}
