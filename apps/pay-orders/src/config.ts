import { ConfigurationError, integer, loadConfig, text, type Config } from '@tollbridge/config';
import { priceSettings } from '@tollbridge/prices';
import { oneClickSettings } from '@tollbridge/routing';
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
  ...oneClickSettings,
  ...priceSettings,
  PAY_ORDERS_SLIPPAGE_BPS: integer({
    description:
      'how far a cross-chain rate may move until the deposit arrives, in basis points; the payer pays it ahead',
    example: '50',
    default: 50,
    min: 0,
    max: 1_000,
  }),
  PAY_ORDERS_DEPOSIT_POLL_MS: integer({
    description: 'how often the route provider is asked about a deposit while something may happen to it',
    example: '3000',
    default: 3_000,
    min: 50,
    max: 60_000,
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
