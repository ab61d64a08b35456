import { integer, loadConfig, text, type Config } from '@tollbridge/config';
import { databaseSettings, managementSettings, serviceSettings } from '@tollbridge/service';

export const settings = {
  ...managementSettings,
  ...serviceSettings('PAY_ORDERS', { managementPort: 9102 }),
  ...databaseSettings('PAY_ORDERS'),
  CHAINS_FILE: text({
    description: 'JSON file of the chains on which direct payments are taken: nodes and contract addresses',
    example: './chains.json',
  }),
  PAY_ORDERS_LIFETIME_SECONDS: integer({
    description: 'how long an order waits for its payment',
    example: '1800',
    default: 1_800,
    min: 1,
    max: 86_400,
  }),
};

export type PayOrdersConfig = Config<typeof settings>;

export function readConfig(env?: NodeJS.ProcessEnv): PayOrdersConfig {
  return loadConfig(settings, env);
}
