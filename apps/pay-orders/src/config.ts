import { integer, loadConfig, redisUrl, text, tlsSettings, type Config } from '@tollbridge/config';
import { priceSettings } from '@tollbridge/prices';
import { rateSettings } from '@tollbridge/rates';
import { oneClickSettings } from '@tollbridge/routing';
import { facilitatorSettings } from './facilitator/settings';
import { refundSettings } from './refunds/settings';
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
  ...serviceSettings('PAY_ORDERS', { managementPort: 9102 }),
  ...databaseSettings('PAY_ORDERS'),
  ...poolingSettings('PAY_ORDERS'),
  ...streamSettings('PAY_ORDERS'),
  ...retentionSettings,
  RETENTION_UNPAID_ORDERS_DAYS: retentionDays({
    description: 'how long expired direct orders stay that nothing was paid or submitted for',
    default: 180,
    min: 30,
  }),
  CHAINS_FILE: text({
    description: 'JSON file of the chains that take direct payments: nodes and contract addresses',
    example: './chains.json',
  }),
  BALANCES_FILE: text({
    description: 'JSON file of where balances of chains without own nodes are read; empty reads none of them',
    example: './balances.json',
    default: '',
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
  ...rateSettings,
  PAY_ORDERS_REDIS_URL: redisUrl({
    description: 'Redis where the replicas of pay-orders share snapshots, rediss:// for TLS; empty uses none',
    example: 'redis://:password@127.0.0.1:6379',
    default: '',
  }),
  ...tlsSettings('redis'),
  PAY_ORDERS_PROBE_EVERY_MS: integer({
    description: 'pause between two quotes that measure minimum amounts; 0 turns them off',
    example: '250',
    default: 250,
    min: 0,
    max: 60_000,
  }),
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
  ...refundSettings,
  ...facilitatorSettings,
};

export type PayOrdersConfig = Config<typeof settings>;

export function readConfig(env?: NodeJS.ProcessEnv): PayOrdersConfig {
  return loadConfig(settings, env);
}
