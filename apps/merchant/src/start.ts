import type { Clock } from '@tollbridge/database';
import { openIdentity, startService, type RunningService } from '@tollbridge/bootstrap';
import { MerchantModule } from './app.module';
import { readConfig } from './config';
import { entities } from './entities';
import { migrations } from './migrations';

export async function start(
  env?: NodeJS.ProcessEnv,
  overrides: { clock?: Clock } = {},
): Promise<RunningService> {
  const config = readConfig(env);
  return startService({
    app: 'merchant',
    module: MerchantModule,
    config,
    natsUrl: config.MERCHANT_NATS_URL,
    identity: openIdentity('merchant', config),
    followsSandboxClock: config.environment === 'sandbox',
    managementHost: config.MANAGEMENT_HOST,
    managementPort: config.MERCHANT_MANAGEMENT_PORT_NUMBER,
    streamMaxMb: config.MERCHANT_STREAM_MAX_MB,
    streamMaxAgeHours: config.MERCHANT_STREAM_MAX_AGE_HOURS,
    streamReplicas: config.MERCHANT_STREAM_REPLICAS,
    database: {
      url: config.MERCHANT_DATABASE_URL,
      entities,
      migrations,
      maxConnections: config.MERCHANT_DATABASE_CONNECTIONS,
      leaderLeaseMs: config.MERCHANT_LEADER_LEASE_MS,
      pooling: config.MERCHANT_DATABASE_POOLING,
    },
    replySecret: config.MERCHANT_KEY_PEPPER,
    ...overrides,
  });
}
