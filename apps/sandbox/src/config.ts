import { loadConfig, text, url, type Config } from '@tollbridge/config';
import { managementSettings, serviceSettings } from '@tollbridge/service';

export const settings = {
  ...managementSettings,
  ...serviceSettings('SANDBOX', { managementPort: 9107 }),
  SANDBOX_WORLD_FILE: text({
    description: 'JSON file that describes the local world; written when its contracts are deployed',
    example: './.tollbridge/world.json',
  }),
  GATEWAY_PUBLIC_URL: url(['http', 'https'], {
    description: 'the address under which callers reach the public API',
    example: 'https://api.example.com',
    sandboxDefault: 'http://127.0.0.1:3000',
  }),
};

export type SandboxConfig = Config<typeof settings>;

/** @throws Error outside the sandbox environment: nothing of this app may run where money is real. */
export function readConfig(env?: NodeJS.ProcessEnv): SandboxConfig {
  const config = loadConfig(settings, env);
  if (config.environment !== 'sandbox')
    throw new Error(`The sandbox app does not run with TOLLBRIDGE_ENV=${config.environment}.`);
  return config;
}
