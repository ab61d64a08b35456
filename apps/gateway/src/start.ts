import { NestFactory } from '@nestjs/core';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { ConfigurationError } from '@tollbridge/config';
import { NestLogger } from '@tollbridge/observability';
import {
  host,
  openIdentity,
  partsOf,
  PlatformModule,
  preparePlatform,
  type RunningService,
} from '@tollbridge/bootstrap';
import { GatewayModule } from './app.module';
import { readConfig, type GatewayConfig } from './config';
import { GatewayAdapter } from './http/gateway-adapter';

export interface RunningGateway extends RunningService {
  url: string;
}

export async function start(env?: NodeJS.ProcessEnv): Promise<RunningGateway> {
  const config = readConfig(env);
  const platform = await preparePlatform('gateway', config);
  const { logger, connections } = platform;
  let app: NestFastifyApplication | undefined;
  let closed: Promise<void> | undefined;
  const close = (): Promise<void> => (closed ??= app?.close() ?? Promise.resolve());
  try {
    app = await createApplication(config, platform);
    await app.listen(config.PORT, config.HOST);
    const url = await app.getUrl();
    logger.info({ url }, 'listening');
    const management = {
      managementHost: config.MANAGEMENT_HOST,
      managementPort: config.GATEWAY_MANAGEMENT_PORT_NUMBER,
    };
    const parts = partsOf({ app: 'gateway', logger, hasDatabase: false }, app);
    const service = await host(parts, app, management, close);
    return { ...service, url };
  } catch (error) {
    await close().catch(() => undefined);
    await connections.closeAll();
    throw explained(error as ListenError, config);
  }
}

function createApplication(
  config: GatewayConfig,
  platform: Awaited<ReturnType<typeof preparePlatform>>,
): Promise<NestFastifyApplication> {
  const bus = {
    app: 'gateway',
    url: config.GATEWAY_NATS_URL,
    identity: openIdentity('gateway', config),
    answersCalls: false,
  };
  return NestFactory.create<NestFastifyApplication>(
    PlatformModule.forRoot({ module: GatewayModule, config, bus }, platform),
    new GatewayAdapter(),
    { bodyParser: false, logger: new NestLogger(platform.logger), abortOnError: false },
  );
}

type ListenError = NodeJS.ErrnoException & { port?: number; address?: string };

function explained(error: ListenError, config: GatewayConfig): Error {
  if (error.code !== 'EADDRINUSE') return error;
  const name = error.port === config.PORT ? 'PORT' : 'GATEWAY_MANAGEMENT_PORT_NUMBER';
  return new ConfigurationError([
    `${name} ${error.port} on ${error.address} is in use. Choose another port, or stop the process that uses it.`,
  ]);
}
