import { openIdentity, startService, type RunningService } from '@tollbridge/bootstrap';
import { NanopayModule } from './app.module';
import { readConfig } from './config';

export async function start(env?: NodeJS.ProcessEnv): Promise<RunningService> {
  const config = readConfig(env);
  return startService({
    app: 'nanopay',
    module: NanopayModule,
    config,
    natsUrl: config.NANOPAY_NATS_URL,
    identity: openIdentity('nanopay', config),
    managementHost: config.MANAGEMENT_HOST,
    managementPort: config.NANOPAY_MANAGEMENT_PORT_NUMBER,
  });
}
