import { loadConfig, port, text, url, type Config } from '@tollbridge/config';
import { managementSettings, serviceSettings } from '@tollbridge/service';

export const settings = {
  ...managementSettings,
  ...serviceSettings('GATEWAY', { managementPort: 9100 }),
  HOST: text({
    description: 'address on which the public API listens',
    example: '127.0.0.1',
    default: '127.0.0.1',
  }),
  PORT: port({ description: 'port of the public API', example: '3000', default: 3000 }),
  GATEWAY_PUBLIC_URL: url(['http', 'https'], {
    description: 'the address under which callers reach the public API',
    example: 'https://api.example.com',
    sandboxDefault: 'http://127.0.0.1:3000',
  }),
};

export type GatewayConfig = Config<typeof settings>;

export function readConfig(env?: NodeJS.ProcessEnv): GatewayConfig {
  return loadConfig(settings, env);
}
