import { startService, type RunningService } from '@tollbridge/service';
import { MerchantModule } from './app.module';
import { readConfig } from './config';

export async function start(env?: NodeJS.ProcessEnv): Promise<RunningService> {
  const config = readConfig(env);
  return startService({
    app: 'merchant',
    module: MerchantModule,
    config,
    natsUrl: config.MERCHANT_NATS_URL,
    managementHost: config.MANAGEMENT_HOST,
    managementPort: config.MERCHANT_MANAGEMENT_PORT,
  });
}
