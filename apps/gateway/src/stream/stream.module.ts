import { Module } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { ServiceConfig, ServiceLogger } from '@tollbridge/bootstrap';
import { Metrics, type Logger } from '@tollbridge/observability';
import type { BlockList } from 'node:net';
import { ClientAddressModule, TrustedProxies } from '../client-address/client-address.module';
import type { GatewayConfig } from '../config';
import { GracefulStop } from '../http/graceful-stop';
import { StreamController } from './stream.controller';
import { StreamProxy } from './stream-proxy';

const streamProxy = {
  provide: StreamProxy,
  useFactory: (
    host: HttpAdapterHost,
    config: GatewayConfig,
    proxies: BlockList,
    stopping: GracefulStop,
    logger: Logger,
    metrics: Metrics,
  ) =>
    new StreamProxy(host, {
      urls: config.STREAM_URL.split(','),
      maxSockets: config.GATEWAY_MAX_STREAM_SOCKETS,
      publicUrl: config.GATEWAY_PUBLIC_URL,
      proxies,
      stopping,
      logger,
      metrics,
    }),
  inject: [HttpAdapterHost, ServiceConfig, TrustedProxies, GracefulStop, ServiceLogger, Metrics],
};

@Module({ imports: [ClientAddressModule], controllers: [StreamController], providers: [streamProxy] })
export class StreamModule {}
