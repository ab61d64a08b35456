import { Module } from '@nestjs/common';
import { ServiceConfig } from '@tollbridge/bootstrap';
import type { GatewayConfig } from '../config';
import { readProxies } from './client-address';

/** Injection token of the trusted proxies (a `BlockList`). The gateway accepts forwarded addresses from them. */
export const TrustedProxies = Symbol('TrustedProxies');

const trustedProxies = {
  provide: TrustedProxies,
  useFactory: ({ GATEWAY_TRUSTED_PROXIES }: Pick<GatewayConfig, 'GATEWAY_TRUSTED_PROXIES'>) =>
    readProxies(GATEWAY_TRUSTED_PROXIES)!,
  inject: [ServiceConfig],
};

@Module({ providers: [trustedProxies], exports: [TrustedProxies] })
export class ClientAddressModule {}
