import { ConfigurationError, integer, loadConfig, text, type Config } from '@tollbridge/config';
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

// What is left for requests and the other statements of the workers.
const connectionsForRequests = 4;

/** The watcher of each chain and the relay of events keep a connection each, for the lock that makes them the only one. */
export function requireConnections(
  { PAY_ORDERS_DATABASE_CONNECTIONS: given }: Pick<PayOrdersConfig, 'PAY_ORDERS_DATABASE_CONNECTIONS'>,
  chains: number,
): void {
  const needed = chains + 1 + connectionsForRequests;
  if (given >= needed) return;
  throw new ConfigurationError([
    `PAY_ORDERS_DATABASE_CONNECTIONS must be at least ${needed}, since ${chains + 1} of them stay in use: ` +
      `one for each chain of CHAINS_FILE and one for events`,
  ]);
}
