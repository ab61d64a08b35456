import type { Clock } from '@tollbridge/database';
import { openIdentity, startService, type RunningService } from '@tollbridge/bootstrap';
import { ServiceApiModule } from './app.module';
import { readConfig } from './config';
import { entities } from './entities';
import { migrations } from './migrations';
import { requirePayoutSettings } from './payouts/settings';
import { requireSalesSettings } from './sales/settings';
import { requireSmsSettings } from './sms/settings';

// Shorter than every client's time-out. Purchases arrive in bursts and may wait for half a minute. Waiting for a
// connection is better than rejecting a call that may already have bought.
const connectTimeoutMs = 8_000;

export async function start(
  env?: NodeJS.ProcessEnv,
  overrides: { clock?: Clock } = {},
): Promise<RunningService> {
  const config = readConfig(env);
  requireSmsSettings(config);
  requirePayoutSettings(config);
  requireSalesSettings(config);
  return startService({
    app: 'service-api',
    module: ServiceApiModule,
    config,
    natsUrl: config.SERVICE_API_NATS_URL,
    identity: openIdentity('service-api', config),
    followsSandboxClock: config.environment === 'sandbox',
    managementHost: config.MANAGEMENT_HOST,
    managementPort: config.SERVICE_API_MANAGEMENT_PORT_NUMBER,
    streamMaxMb: config.SERVICE_API_STREAM_MAX_MB,
    streamMaxAgeHours: config.SERVICE_API_STREAM_MAX_AGE_HOURS,
    streamReplicas: config.SERVICE_API_STREAM_REPLICAS,
    replySecret: config.SERVICE_API_REPLY_SECRET,
    database: {
      url: config.SERVICE_API_DATABASE_URL,
      entities,
      migrations,
      maxConnections: config.SERVICE_API_DATABASE_CONNECTIONS,
      leaderLeaseMs: config.SERVICE_API_LEADER_LEASE_MS,
      pooling: config.SERVICE_API_DATABASE_POOLING,
      connectTimeoutMs,
    },
    ...overrides,
  });
}
