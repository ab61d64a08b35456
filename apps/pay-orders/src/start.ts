import type { Clock } from '@tollbridge/data';
import { startService, type RunningService } from '@tollbridge/service';
import { PayOrdersModule } from './app.module';
import { readConfig } from './config';
import { OrderRow } from './orders/orders.entity';

export async function start(
  env?: NodeJS.ProcessEnv,
  overrides: { clock?: Clock } = {},
): Promise<RunningService> {
  const config = readConfig(env);
  return startService({
    app: 'pay-orders',
    module: PayOrdersModule,
    config,
    natsUrl: config.PAY_ORDERS_NATS_URL,
    managementHost: config.MANAGEMENT_HOST,
    managementPort: config.PAY_ORDERS_MANAGEMENT_PORT,
    database: {
      url: config.PAY_ORDERS_DATABASE_URL,
      entities: [OrderRow],
      maxConnections: config.PAY_ORDERS_DATABASE_CONNECTIONS,
    },
    ...overrides,
  });
}
