import { loadConfig, type Config } from '@tollbridge/config';
import { managementSettings, serviceSettings } from '@tollbridge/service';

export const settings = {
  ...managementSettings,
  ...serviceSettings('STREAM', { managementPort: 9106 }),
};

export type StreamConfig = Config<typeof settings>;

export function readConfig(env?: NodeJS.ProcessEnv): StreamConfig {
  return loadConfig(settings, env);
}
