import { NestFactory } from '@nestjs/core';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { allEvents, channels, features } from '@tollbridge/contracts';
import type { Feature, Operation } from '@tollbridge/rpc';
import { ConfigurationError } from '@tollbridge/config';
import { NestLogger, openAccessLog } from '@tollbridge/observability';
import {
  host,
  openIdentity,
  openParts,
  ServiceModule,
  type RunningService,
  type ServiceParts,
} from '@tollbridge/bootstrap';
import type { BlockList } from 'node:net';
import { GatewayModule } from './app.module';
import { asyncApiDocument } from './asyncapi/document';
import { readConfig, type GatewayConfig } from './config';
import { addDemoRoute } from './demo/demo-routes';
import { documentedRoutes } from './documented-routes';
import { addExportRoutes } from './exports/export-routes';
import { addHookRoutes } from './hooks/hook-routes';
import type { Admit } from './http/admission';
import { bodyBounds, type BodyBounds } from './http/body-admission';
import { boundConnections } from './http/connection-bound';
import { addOperationRoutes } from './http/operation-routes';
import { httpLimits, PublicServer } from './http/server';
import { addHealthRoutes, addLogoRoutes, addMetricsRoute, addStreamRoute } from './http/static-routes';
import { idempotencyKeys } from './idempotency/idempotency-key';
import { openAdmission } from './open-admission';
import { addDocsRoutes } from './openapi/docs-routes';
import { openApiDocument } from './openapi/document';
import { sandboxDocument } from './openapi/sandbox-examples';
import { addQrRoute, checkoutRoutes } from './pages/checkout-routes';
import { addPageRoutes } from './pages/page-routes';
import { payLinkPages } from './pages/paylink-page';
import { addPaymentFrames } from './payments/payment-frames';
import { readProxies } from './rate-limit/client-address';
import { StreamProxy } from './stream/stream-proxy';
import { version } from './version';

export interface RunningGateway extends RunningService {
  url: string;
}

export async function start(env?: NodeJS.ProcessEnv): Promise<RunningGateway> {
  const config = readConfig(env);
  const parts = await openParts({
    app: 'gateway',
    module: GatewayModule,
    config,
    natsUrl: config.GATEWAY_NATS_URL,
    identity: openIdentity('gateway', config),
    managementHost: config.MANAGEMENT_HOST,
    managementPort: config.GATEWAY_MANAGEMENT_PORT,
  });
  try {
    return await serve(parts, config);
  } catch (error) {
    parts.busClient.close();
    await parts.bus.close();
    throw explained(error as ListenError, config);
  }
}

async function serve(parts: ServiceParts, config: GatewayConfig): Promise<RunningGateway> {
  const { admit, close } = await openAdmission(parts, config);
  return serveWith(admit, close, parts, config).catch((error: unknown) => {
    close();
    throw error;
  });
}

async function serveWith(
  admit: Admit,
  closeAdmission: () => void,
  parts: ServiceParts,
  config: GatewayConfig,
): Promise<RunningGateway> {
  const { logger, metrics } = parts;
  const proxies = readProxies(config.GATEWAY_TRUSTED_PROXIES)!;
  const bodies = bodyBoundsOf(config, proxies);
  const { GATEWAY_PUBLIC_URL: publicUrl } = config;
  const writeAccess = openAccessLog('gateway');
  const front = new PublicServer({ logger, writeAccess, metrics, publicUrl }, httpLimits, bodies);
  const most = config.GATEWAY_MAX_CONNECTIONS_PER_ADDRESS;
  boundConnections(front.fastify.server, { most, proxies, logger, metrics });
  const nest = await NestFactory.create<NestFastifyApplication>(
    ServiceModule.with(parts, config, GatewayModule),
    front.adapter,
    { bodyParser: false, logger: new NestLogger(logger), abortOnError: false },
  );
  addRoutes(front, admit, parts, config);
  const stream = new StreamProxy({
    urls: config.STREAM_URL.split(','),
    maxSockets: config.GATEWAY_MAX_STREAM_SOCKETS,
    ...{ proxies, stopping: front.stopping, logger, metrics, publicUrl },
  });
  stream.listen(front.fastify.server);
  await nest.listen(config.PORT, config.HOST);
  const url = await nest.getUrl();
  logger.info({ url }, 'listening');
  const management = {
    managementHost: config.MANAGEMENT_HOST,
    managementPort: config.GATEWAY_MANAGEMENT_PORT,
  };
  const closeServer = () => Promise.all([nest.close(), stream.stop()]).then(() => undefined);
  const close = () => front.stopping.stop(front.fastify.server, closeServer).finally(closeAdmission);
  const service = await host(parts, nest, management, close).catch(async (error: Error) => {
    await close();
    throw error;
  });
  return { ...service, url };
}

function addRoutes(
  { fastify, stopping }: PublicServer,
  admit: Admit,
  parts: ServiceParts,
  config: GatewayConfig,
): void {
  const { bus, busClient, logger, metrics } = parts;
  const offered = offeredFeatures(config);
  const keyOf = idempotencyKeys(readProxies(config.GATEWAY_TRUSTED_PROXIES)!);
  addOperationRoutes(fastify, offered, busClient, admit, keyOf);
  addExportRoutes(fastify, busClient, { admit });
  addHookRoutes(fastify, busClient, { admit });
  addPaymentFrames(fastify, bus.nats, { admit, maxFrames: config.GATEWAY_MAX_PAYMENT_FRAMES });
  addHealthRoutes(fastify, { bus: () => bus.isConnected, accepting: () => !stopping.isStopping });
  addLogoRoutes(fastify);
  addStreamRoute(fastify);
  const { GATEWAY_PUBLIC_URL: publicUrl } = config;
  addQrRoute(fastify, busClient, { admit, publicUrl });
  const pages = [...checkoutRoutes(busClient, publicUrl), ...payLinkPages(busClient)];
  addPageRoutes(fastify, pages, { admit, logger });
  const asyncApi = asyncApiDocument({ channels, events: allEvents }, publicUrl, version);
  const isSandbox = config.environment === 'sandbox';
  const routes = documentedRoutes.filter(({ operation }) => isSandbox || !operation.isSandboxOnly);
  const document = openApiDocument(offered, publicUrl, version, routes);
  const openApi = isSandbox ? sandboxDocument(document, busClient) : () => Promise.resolve(document);
  addDocsRoutes(fastify, { openApi, asyncApi, features: offered });
  if (!isSandbox) return;
  // Elsewhere they are on the management port only, which the public cannot reach.
  addMetricsRoute(fastify, metrics);
  addDemoRoute(fastify, bus, { admit, publicUrl });
}

function bodyBoundsOf(config: GatewayConfig, proxies: BlockList): BodyBounds {
  return {
    ...bodyBounds,
    maxBytes: config.GATEWAY_BODY_MEMORY_MB * 1024 * 1024,
    maxAnonymousBytes: config.GATEWAY_ANONYMOUS_BODY_KB * 1024,
    timeoutMs: config.GATEWAY_BODY_TIMEOUT_SECONDS * 1_000,
    proxies,
  };
}

type ListenError = NodeJS.ErrnoException & { port?: number; address?: string };

function explained(error: ListenError, config: GatewayConfig): Error {
  if (error.code !== 'EADDRINUSE') return error;
  const name = error.port === config.PORT ? 'PORT' : 'GATEWAY_MANAGEMENT_PORT';
  return new ConfigurationError([
    `${name} ${error.port} on ${error.address} is in use: choose another, or stop what uses it`,
  ]);
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
