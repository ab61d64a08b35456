import { NestFactory } from '@nestjs/core';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { features } from '@tollbridge/api';
import type { Feature, Operation } from '@tollbridge/bus';
import { NestLogger } from '@tollbridge/observability';
import { host, openParts, ServiceModule, type RunningService } from '@tollbridge/service';
import type { FastifyInstance } from 'fastify';
import { GatewayModule } from './app.module';
import { readConfig, type GatewayConfig } from './config';
import { addOperationRoutes } from './http/operation-routes';
import { UnknownRoutes } from './http/unknown-routes.filter';
import { addHealthRoutes, addLogoRoutes, createAdapter, prepareServer } from './http/server';
import { addDocsRoutes } from './openapi/docs-routes';
import { openApiDocument } from './openapi/document';
import { version } from './version';

export interface RunningGateway extends RunningService {
  url: string;
}

export async function start(env?: NodeJS.ProcessEnv): Promise<RunningGateway> {
  const config = readConfig(env);
  const options = {
    app: 'gateway',
    module: GatewayModule,
    config,
    natsUrl: config.GATEWAY_NATS_URL,
    managementHost: config.MANAGEMENT_HOST,
    managementPort: config.GATEWAY_MANAGEMENT_PORT,
  };
  const parts = await openParts(options);
  const { logger, metrics, bus, busClient } = parts;
  const nest = await NestFactory.create<NestFastifyApplication>(
    ServiceModule.with(parts, config, GatewayModule),
    createAdapter(),
    {
      bodyParser: false,
      logger: new NestLogger(logger),
      abortOnError: false,
    },
  );
  const server = nest.getHttpAdapter().getInstance() as unknown as FastifyInstance;
  await prepareServer(server, logger, metrics);
  const offered = offeredFeatures(config);
  addOperationRoutes(server, offered, busClient);
  addHealthRoutes(server, { bus: () => bus.isConnected });
  addLogoRoutes(server);
  addDocsRoutes(server, openApiDocument(offered, config.GATEWAY_PUBLIC_URL, version));
  if (config.environment === 'sandbox') {
    server.get('/metrics', async (_request, reply) =>
      reply.type(metrics.registry.contentType).send(await metrics.registry.metrics()),
    );
  }
  nest.useGlobalFilters(new UnknownRoutes());
  await nest.listen(config.PORT, config.HOST);
  const url = await nest.getUrl();
  logger.info({ url }, 'listening');
  return { ...(await host(parts, nest, options, () => nest.close())), url };
}

/** The features of this environment: some operations exist in the sandbox only. */
export function offeredFeatures({ environment }: Pick<GatewayConfig, 'environment'>): Feature[] {
  const isOffered = (operation: Operation) => !operation.isSandboxOnly || environment === 'sandbox';
  return features
    .map((feature) => ({
      ...feature,
      operations: Object.fromEntries(
        Object.entries(feature.operations).filter(([, operation]) => isOffered(operation as Operation)),
      ),
    }))
    .filter(({ operations }) => Object.keys(operations).length > 0) as Feature[];
}
