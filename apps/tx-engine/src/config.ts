import { integer, loadConfig, text, type Config } from '@tollbridge/config';
import { priceSettings } from '@tollbridge/prices';
import { acrossSettings, lifiSettings } from '@tollbridge/routing';
import {
  databaseSettings,
  managementSettings,
  retentionDays,
  retentionSettings,
  poolingSettings,
  serviceSettings,
  streamSettings,
} from '@tollbridge/bootstrap';

export const settings = {
  ...managementSettings,
  ...serviceSettings('TX_ENGINE', { managementPort: 9101 }),
  ...databaseSettings('TX_ENGINE'),
  ...poolingSettings('TX_ENGINE'),
  ...streamSettings('TX_ENGINE'),
  ...retentionSettings,
  RETENTION_UNSIGNED_SETS_DAYS: retentionDays({
    description: 'how long expired transaction sets stay that were never signed',
    default: 180,
    min: 30,
  }),
  CHAINS_FILE: text({
    description:
      'JSON file of the chains: their nodes, and contract addresses that are not the published ones',
    example: './chains.json',
  }),
  TX_ENGINE_QUOTE_SECONDS: integer({
    description: 'how long a quote can be built',
    example: '60',
    default: 60,
    min: 1,
    max: 600,
  }),
  ...acrossSettings,
  ...lifiSettings,
  ...priceSettings,
};

export type TxEngineConfig = Config<typeof settings>;

export function readConfig(env?: NodeJS.ProcessEnv): TxEngineConfig {
  return loadConfig(settings, env);
}
