import { loadConfig, type Config } from '@tollbridge/config';
import { managementSettings, serviceSettings } from '@tollbridge/service';

export const settings = {
  ...managementSettings,
  ...serviceSettings('TX_ENGINE', { managementPort: 9101 }),
};

export type TxEngineConfig = Config<typeof settings>;

export function readConfig(env?: NodeJS.ProcessEnv): TxEngineConfig {
  return loadConfig(settings, env);
}
