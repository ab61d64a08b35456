import type { Clock } from '@tollbridge/database';
import { paymentsSubject } from '@tollbridge/nanopay-protocol';
import { openIdentity, startService, type RunningService } from '@tollbridge/bootstrap';
import { TeeModule } from './app.module';
import { readConfig } from './config';
import { entities } from './entities';
import { migrations } from './migrations';
import { LedgerLease } from './lease/ledger-lease';

export async function start(
  env?: NodeJS.ProcessEnv,
  overrides: { clock?: Clock } = {},
): Promise<RunningService> {
  const config = readConfig(env);
  return startService({
    app: 'tee',
    module: TeeModule,
    config,
    natsUrl: config.TEE_NATS_URL,
    identity: openIdentity('tee', config),
    managementHost: config.MANAGEMENT_HOST,
    managementPort: config.TEE_MANAGEMENT_PORT_NUMBER,
    streamMaxMb: config.TEE_STREAM_MAX_MB,
    streamMaxAgeHours: config.TEE_STREAM_MAX_AGE_HOURS,
    streamReplicas: config.TEE_STREAM_REPLICAS,
    database: {
      url: config.TEE_DATABASE_URL,
      entities,
      migrations,
      maxConnections: config.TEE_DATABASE_CONNECTIONS,
      leaderLeaseMs: config.TEE_LEADER_LEASE_MS,
      // Planning a commit takes as long as executing it (row `tollbridge: paid`).
      usesGenericPlans: true,
      // A process that stops in a transaction must not block its successor.
      idleTransactionTimeoutMs: config.TEE_LEASE_MS,
    },
    otherSubjects: [paymentsSubject],
    lease: LedgerLease,
    ...overrides,
  });
}
