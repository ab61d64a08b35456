import type { Clock } from '@tollbridge/database';
import { openIdentity, startService, type RunningService } from '@tollbridge/bootstrap';
import { PayOrdersModule } from './app.module';
import { readConfig } from './config';
import { entities } from './entities';
import { migrations } from './migrations';

export async function start(
  env?: NodeJS.ProcessEnv,
  overrides: { clock?: Clock } = {},
): Promise<RunningService> {
  const config = readConfig(env);
  return startService({
    app: 'pay-orders',
    module: PayOrdersModule,
    config,
    natsUrl: config.PAY_ORDERS_NATS_URL,
    identity: openIdentity('pay-orders', config),
    followsSandboxClock: config.environment === 'sandbox',
    managementHost: config.MANAGEMENT_HOST,
    managementPort: config.PAY_ORDERS_MANAGEMENT_PORT_NUMBER,
    streamMaxMb: config.PAY_ORDERS_STREAM_MAX_MB,
    streamMaxAgeHours: config.PAY_ORDERS_STREAM_MAX_AGE_HOURS,
    streamReplicas: config.PAY_ORDERS_STREAM_REPLICAS,
    database: {
      url: config.PAY_ORDERS_DATABASE_URL,
      entities,
      migrations,
      maxConnections: config.PAY_ORDERS_DATABASE_CONNECTIONS,
      leaderLeaseMs: config.PAY_ORDERS_LEADER_LEASE_MS,
      pooling: config.PAY_ORDERS_DATABASE_POOLING,
    },
    ...overrides,
  });
}
