import { startService, type RunningService } from '@tollbridge/service';
import { SandboxModule } from './app.module';
import { readConfig } from './config';

export async function start(env?: NodeJS.ProcessEnv): Promise<RunningService> {
  const config = readConfig(env);
  return startService({
    app: 'sandbox',
    module: SandboxModule,
    config,
    natsUrl: config.SANDBOX_NATS_URL,
    managementHost: config.MANAGEMENT_HOST,
    managementPort: config.SANDBOX_MANAGEMENT_PORT,
  });
}
