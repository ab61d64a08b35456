import { Inject, Module, type OnModuleInit } from '@nestjs/common';
import { modeOf } from '@tollbridge/api-keys';
import { ServiceConfig, ServiceLogger } from '@tollbridge/bootstrap';
import type { Logger } from '@tollbridge/observability';
import { BusClient } from '@tollbridge/rpc';
import type { BlockList } from 'node:net';
import { ClientAddressModule, TrustedProxies } from '../client-address/client-address.module';
import type { GatewayConfig } from '../config';
import { addressRates } from '../rate-limit/address-rates';
import { FailedKeys, FailedProofs } from '../rate-limit/failed-attempts';
import { RateLimiter } from '../rate-limit/rate-limiter';
import { RateLimitsModule } from '../rate-limit/rate-limits.module';
import { Admission } from './admission';
import { AdmissionHook } from './admission-hook';
import { CacheInvalidation } from './cache-invalidation';
import { CachedKeys } from './cached-keys';
import { CachedSessions } from './cached-sessions';
import { SessionCookie } from './session-cookie';
import { suspectLookups } from './suspect-lookups';

type Environmental = Pick<GatewayConfig, 'environment'>;
type AdmissionConfig = Pick<GatewayConfig, 'environment' | 'SALES'>;

const cachedKeys = {
  provide: CachedKeys,
  useFactory: (bus: BusClient, { environment }: Environmental) => new CachedKeys(bus, modeOf(environment)),
  inject: [BusClient, ServiceConfig],
};

const cachedSessions = {
  provide: CachedSessions,
  useFactory: (bus: BusClient, { environment }: Environmental) =>
    new CachedSessions(bus, modeOf(environment)),
  inject: [BusClient, ServiceConfig],
};

const sessionCookie = {
  provide: SessionCookie,
  useFactory: ({ GATEWAY_PUBLIC_URL: publicUrl }: Pick<GatewayConfig, 'GATEWAY_PUBLIC_URL'>) =>
    new SessionCookie(publicUrl),
  inject: [ServiceConfig],
};

const admission = {
  provide: Admission,
  useFactory: (
    keys: CachedKeys,
    sessions: CachedSessions,
    sessionCookie: SessionCookie,
    limiter: RateLimiter,
    failedKeys: FailedKeys,
    failedProofs: FailedProofs,
    proxies: BlockList,
    { environment, SALES: sales }: AdmissionConfig,
    logger: Logger,
  ) =>
    new Admission({
      keys,
      sessions,
      sessionCookie,
      limiter,
      failedKeys,
      failedProofs,
      proxies,
      environment,
      sells: sales === 'on',
      suspectLookup: suspectLookups(),
      addressRate: addressRates[environment],
      onUnproven: (unproven) => logger.warn(unproven, 'wallet without proof rejected'),
    }),
  inject: [
    CachedKeys,
    CachedSessions,
    SessionCookie,
    RateLimiter,
    FailedKeys,
    FailedProofs,
    TrustedProxies,
    ServiceConfig,
    ServiceLogger,
  ],
};

@Module({
  imports: [ClientAddressModule, RateLimitsModule],
  providers: [cachedKeys, cachedSessions, sessionCookie, CacheInvalidation, admission, AdmissionHook],
  exports: [cachedKeys, cachedSessions, sessionCookie],
})
export class AuthModule implements OnModuleInit {
  constructor(
    @Inject(ServiceConfig) private readonly config: Environmental,
    @Inject(ServiceLogger) private readonly logger: Logger,
  ) {}

  onModuleInit(): void {
    if (this.config.environment === 'sandbox')
      this.logger.warn('sandbox accepts wallets by the header x-wallet alone, without a proof');
  }
}
