import type { Clock } from '@tollbridge/data';
import { startService, type RunningService } from '@tollbridge/service';
import { TxEngineModule } from './app.module';
import { readConfig } from './config';

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
    managementHost: config.MANAGEMENT_HOST,
    managementPort: config.TX_ENGINE_MANAGEMENT_PORT,
    database: {
      url: config.TX_ENGINE_DATABASE_URL,
      entities: [],
      maxConnections: config.TX_ENGINE_DATABASE_CONNECTIONS,
    },
    ...overrides,
  });
}
