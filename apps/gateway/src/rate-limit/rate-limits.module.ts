import { Module } from '@nestjs/common';
import { ServiceConfig, ServiceLogger } from '@tollbridge/bootstrap';
import { tlsFilesOf } from '@tollbridge/config';
import type { Logger } from '@tollbridge/observability';
import { BusConnection } from '@tollbridge/rpc';
import { ClientAddressModule } from '../client-address/client-address.module';
import type { GatewayConfig } from '../config';
import { FailedKeys, FailedProofs } from './failed-attempts';
import { ForwardingWarning } from './forwarding-warning';
import { OperationLimits } from './operation-limits';
import { RateLimiter } from './rate-limiter';
import { SharedCounts } from './shared-counts';

const sharedCounts = {
  provide: SharedCounts,
  useFactory: (config: GatewayConfig, logger: Logger) =>
    new SharedCounts(config.GATEWAY_REDIS_URL, logger, {
      timeoutMs: config.GATEWAY_REDIS_TIMEOUT_MS,
      tls: tlsFilesOf(config, 'redis'),
    }),
  // Created after the bus connection, because a start that fails on the bus must leave no connection to Redis.
  inject: [ServiceConfig, ServiceLogger, BusConnection],
};

@Module({
  imports: [ClientAddressModule],
  providers: [sharedCounts, RateLimiter, OperationLimits, FailedKeys, FailedProofs, ForwardingWarning],
  exports: [RateLimiter, OperationLimits, FailedKeys, FailedProofs, ForwardingWarning],
})
export class RateLimitsModule {}
