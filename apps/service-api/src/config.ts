import { loadConfig, type Config } from '@tollbridge/config';
import { managementSettings, serviceSettings } from '@tollbridge/service';

export const settings = {
  ...managementSettings,
  ...serviceSettings('SERVICE_API', { managementPort: 9104 }),
};

export type ServiceApiConfig = Config<typeof settings>;

export function readConfig(env?: NodeJS.ProcessEnv): ServiceApiConfig {
  return loadConfig(settings, env);
}
