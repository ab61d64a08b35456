import type { Clock } from '@tollbridge/database';
import { openIdentity, startService, type RunningService } from '@tollbridge/bootstrap';
import { TxEngineModule } from './app.module';
import { readConfig } from './config';
import { entities } from './entities';
import { migrations } from './migrations';

export async function start(
  env?: NodeJS.ProcessEnv,
  overrides: { clock?: Clock } = {},
): Promise<RunningService> {
  const config = readConfig(env);
  return startService({
    app: 'tx-engine',
    module: TxEngineModule,
    config,
    natsUrl: config.TX_ENGINE_NATS_URL,
    identity: openIdentity('tx-engine', config),
    followsSandboxClock: config.environment === 'sandbox',
    managementHost: config.MANAGEMENT_HOST,
    managementPort: config.TX_ENGINE_MANAGEMENT_PORT_NUMBER,
    streamMaxMb: config.TX_ENGINE_STREAM_MAX_MB,
    streamMaxAgeHours: config.TX_ENGINE_STREAM_MAX_AGE_HOURS,
    streamReplicas: config.TX_ENGINE_STREAM_REPLICAS,
    database: {
      url: config.TX_ENGINE_DATABASE_URL,
      entities,
      migrations,
      maxConnections: config.TX_ENGINE_DATABASE_CONNECTIONS,
      leaderLeaseMs: config.TX_ENGINE_LEADER_LEASE_MS,
      pooling: config.TX_ENGINE_DATABASE_POOLING,
    },
    ...overrides,
  });
}
