import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { tlsFilesOf } from '@tollbridge/config';
import { SharedCache } from '@tollbridge/database';
import type { Logger } from '@tollbridge/observability';
import { ServiceConfig, ServiceLogger } from '@tollbridge/bootstrap';
import type { PayOrdersConfig } from '../config';

/** Redis, for data that replicas share and that may be lost. */
@Injectable()
export class SnapshotCache extends SharedCache implements OnApplicationShutdown {
  constructor(@Inject(ServiceConfig) config: PayOrdersConfig, @Inject(ServiceLogger) logger: Logger) {
    super(
      config.PAY_ORDERS_REDIS_URL,
      (error) => logger.warn({ err: error }, 'Redis unavailable, continuing without'),
      tlsFilesOf(config, 'redis'),
    );
  }

  onApplicationShutdown(): void {
    this.close();
  }
}
