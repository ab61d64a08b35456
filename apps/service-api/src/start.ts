import { startService, type RunningService } from '@tollbridge/service';
import { ServiceApiModule } from './app.module';
import { readConfig } from './config';

export async function start(env?: NodeJS.ProcessEnv): Promise<RunningService> {
  const config = readConfig(env);
  return startService({
    app: 'service-api',
    module: ServiceApiModule,
    config,
    natsUrl: config.SERVICE_API_NATS_URL,
    managementHost: config.MANAGEMENT_HOST,
    managementPort: config.SERVICE_API_MANAGEMENT_PORT,
  });
}
