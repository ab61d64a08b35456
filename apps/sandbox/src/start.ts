import { clockAdvancedSubject } from '@tollbridge/contracts';
import type { Clock } from '@tollbridge/database';
import { openIdentity, startService, type RunningService } from '@tollbridge/bootstrap';
import { SandboxModule } from './app.module';
import { readConfig } from './config';
import { entities } from './entities';
import { migrations } from './migrations';

export async function start(
  env?: NodeJS.ProcessEnv,
  overrides: { clock?: Clock } = {},
): Promise<RunningService> {
  const config = readConfig(env);
  return startService({
    app: 'sandbox',
    module: SandboxModule,
    config,
    natsUrl: config.SANDBOX_NATS_URL,
    identity: openIdentity('sandbox', config),
    followsSandboxClock: config.environment === 'sandbox',
    // This app publishes the subject for all apps, so it also receives its own messages.
    otherSubjects: [clockAdvancedSubject],
    managementHost: config.MANAGEMENT_HOST,
    managementPort: config.SANDBOX_MANAGEMENT_PORT_NUMBER,
    database: {
      url: config.SANDBOX_DATABASE_URL,
      entities,
      migrations,
      maxConnections: config.SANDBOX_DATABASE_CONNECTIONS,
      leaderLeaseMs: config.SANDBOX_LEADER_LEASE_MS,
      pooling: config.SANDBOX_DATABASE_POOLING,
    },
    ...overrides,
  });
}
