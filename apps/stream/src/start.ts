import { startService, type RunningService } from '@tollbridge/service';
import { StreamModule } from './app.module';
import { readConfig } from './config';

export async function start(env?: NodeJS.ProcessEnv): Promise<RunningService> {
  const config = readConfig(env);
  return startService({
    app: 'stream',
    module: StreamModule,
    config,
    natsUrl: config.STREAM_NATS_URL,
    managementHost: config.MANAGEMENT_HOST,
    managementPort: config.STREAM_MANAGEMENT_PORT,
  });
}
