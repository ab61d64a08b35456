import { Module, type DynamicModule } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { ServiceConfig, ServiceLogger, Stopping, stopTimesOf } from '@tollbridge/bootstrap';
import type { Environment } from '@tollbridge/config';
import { Clock, systemClock } from '@tollbridge/database';
import { BusClient, BusConnection, BusWatch, developmentIdentity, EventVerifier } from '@tollbridge/rpc';
import { Metrics } from '@tollbridge/observability';
import type { FastifyInstance } from 'fastify';
import pino from 'pino';
import { GatewayModule } from './app.module';
import { readConfig } from './config';
import { GatewayAdapter } from './http/gateway-adapter';
import { gatewayRoutes } from './routes/gateway-routes';
import { patternOf } from './routes/route-table';

@Module({})
class FakePlatformModule {}

/** The platform's providers without connections. */
function fakePlatform(environment: Environment): DynamicModule {
  const env = {
    TOLLBRIDGE_ENV: 'sandbox',
    GATEWAY_NATS_URL: 'nats://127.0.0.1:1',
    GATEWAY_REDIS_URL: 'redis://127.0.0.1:1',
  };
  const subscription = { unsubscribe: () => undefined };
  const bus = {
    nats: { subscribe: () => subscription, isClosed: () => true },
    onInterruption: () => () => undefined,
    inboxPrefix: '_INBOX',
    isConnected: true,
  };
  const providers = [
    { provide: ServiceConfig, useValue: { ...readConfig(env), environment } },
    { provide: ServiceLogger, useValue: pino({ level: 'silent' }) },
    { provide: Metrics, useValue: new Metrics('gateway') },
    { provide: BusClient, useValue: { endWaitingCalls: () => undefined } },
    { provide: BusConnection, useValue: bus },
    { provide: Clock, useValue: systemClock },
    { provide: BusWatch, useValue: { isHealthy: true } },
    { provide: EventVerifier, useValue: new EventVerifier(developmentIdentity('gateway')) },
    { provide: Stopping, useValue: new Stopping(stopTimesOf({})) },
  ];
  return {
    module: FakePlatformModule,
    global: true,
    providers,
    exports: providers,
    imports: [GatewayModule],
  };
}

describe('GatewayModule', () => {
  it.each(['sandbox', 'production'] as const)('registers every declared route in %s', async (environment) => {
    const app = await NestFactory.create<NestFastifyApplication>(
      fakePlatform(environment),
      new GatewayAdapter(),
      { bodyParser: false, logger: false, abortOnError: false },
    );
    await app.init();
    const server = app.getHttpAdapter().getInstance() as unknown as FastifyInstance;
    await server.ready();
    const missing = gatewayRoutes(environment)
      .map(({ declaration: { method, path } }) => ({ method, url: patternOf(path) }))
      .filter((route) => !server.hasRoute(route));
    await app.close();
    expect(missing).toEqual([]);
  });
});
