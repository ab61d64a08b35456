import { type Config, ConfigurationError, loadConfig, publicUrl } from '@tollbridge/config';
import { chainSettings } from './chain/settings';
import { managementSettings, nanopaySettings, serviceSettings } from '@tollbridge/bootstrap';

export const settings = {
  ...managementSettings,
  ...serviceSettings('NANOPAY', { managementPort: 9105 }),
  ...nanopaySettings,
  ...chainSettings,
  GATEWAY_PUBLIC_URL: publicUrl({
    description: 'the address under which callers reach the public API',
    example: 'https://api.example.com',
    sandboxDefault: 'http://127.0.0.1:3000',
  }),
};

export type NanopayConfig = Config<typeof settings>;

export function readConfig(env?: NodeJS.ProcessEnv): NanopayConfig {
  const config = loadConfig(settings, env);
  // Buyers get exactly one address.
  if (config.GATEWAY_PUBLIC_URL.includes(','))
    throw new ConfigurationError(['GATEWAY_PUBLIC_URL must be one URL']);
  return config;
}
