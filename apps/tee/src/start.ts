import type { Clock } from '@tollbridge/data';
import { paymentsSubject } from '@tollbridge/nanopay';
import { startService, type RunningService } from '@tollbridge/service';
import { TeeModule } from './app.module';
import { readConfig } from './config';

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
    managementHost: config.MANAGEMENT_HOST,
    managementPort: config.TEE_MANAGEMENT_PORT,
    database: {
      url: config.TEE_DATABASE_URL,
      entities: [],
      maxConnections: config.TEE_DATABASE_CONNECTIONS,
      // To plan a commit takes as long as to carry it out.
      arePlansKept: true,
    },
    otherSubjects: [paymentsSubject],
    ...overrides,
  });
}
