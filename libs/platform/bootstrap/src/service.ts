import type { INestApplicationContext, INestMicroservice, Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { AsyncMicroserviceOptions } from '@nestjs/microservices';
import type { Config, Settings } from '@tollbridge/config';
import { Clock, Database, type DatabaseReplies } from '@tollbridge/database';
import { createLogger, Metrics, NestLogger, startTracing, type Logger } from '@tollbridge/observability';
import {
  BusClient,
  BusConnection,
  BusServer,
  BusWatch,
  RpcExceptionFilter,
  type CallAccess,
  type MemoryReplies,
  type ServiceIdentity,
} from '@tollbridge/rpc';
import type { Server } from 'node:http';
import { Connections } from './bus/connections';
import { Health } from './health';
import type { AppDatabase } from './database/database.module';
import {
  readiness,
  startManagementServer,
  type HealthReport,
  type ReadinessChecks,
} from './management-server';
import { PlatformModule, type Platform } from './platform.module';
import { Replies } from './bus/service-tokens';
import type { StreamLimits } from './bus/stream-limits';
import { StreamReadiness } from './bus/stream-readiness';
import { Standby, type LeaseToken, type ServingLease, type StandbyOptions } from './work/standby';
import { Stopping, stopTimesOf } from './work/stopping';

export interface ServiceOptions extends StreamLimits {
  /** Name of the app, such as `pay-orders`; part of its subjects, schema, logs and metrics. */
  app: string;
  module: Type;
  natsUrl: string;
  /** Signs the app's calls and verifies those of others. */
  identity: ServiceIdentity;
  /** The operations that each app may call; by default the declarations of libs/contracts. Tests replace it. */
  access?: CallAccess;
  managementHost: string;
  managementPort: number;
  config: unknown;
  database?: AppDatabase;
  /** Replaces the database's clock in tests. */
  clock?: Clock;
  /** Uses the time of the sandbox app (`POST /sandbox/clock`). */
  followsSandboxClock?: boolean;
  /** Encrypts stored replies that contain a secret. Apps with such operations need it. */
  replySecret?: string;
  /** Subjects below `op.<app>` that the app answers by itself. */
  otherSubjects?: readonly string[];
  /** False for an app that NATS does not permit to reply, so that it only makes calls. */
  answersCalls?: boolean;
  /** Provider of the serving lease. Without the lease the app stands by, and serves only health and metrics. */
  lease?: LeaseToken;
}

/** Services that the platform modules provide to a running app. */
export interface ServiceParts {
  app: string;
  logger: Logger;
  metrics: Metrics;
  bus: BusConnection;
  busWatch: BusWatch;
  busClient: BusClient;
  database: Database | undefined;
  clock: Clock;
  /** The store of replies to calls with an idempotency key. */
  replies: DatabaseReplies | MemoryReplies;
  connections: Connections;
  stopping: Stopping;
  readiness: Health;
}

export interface RunningService extends ServiceParts {
  context: INestApplicationContext;
  health(): Promise<HealthReport>;
  /** Finishes work in progress, then closes. A second call waits for the first. */
  close(): Promise<void>;
  /** Maximum duration of `close` in milliseconds. */
  closeTimeoutMs: number;
}

/** Creates the logger, the list of opened connections, and the stop sequence of an app. */
export async function preparePlatform(app: string, config: unknown): Promise<Platform> {
  await startTracing(app);
  const logger = createLogger(app);
  warnOfWeakSettings(config, logger);
  return { logger, connections: new Connections(logger), stopping: new Stopping(stopTimesOf(config)) };
}

/** Returns the platform's providers from the container of an app. */
export function partsOf(
  { app, logger, hasDatabase }: { app: string; logger: Logger; hasDatabase: boolean },
  context: INestApplicationContext,
): ServiceParts {
  const get = <T>(token: { prototype: T } | symbol): T => context.get<T>(token as symbol, { strict: false });
  return {
    app,
    logger,
    metrics: get(Metrics),
    bus: get(BusConnection),
    busWatch: get(BusWatch),
    busClient: get(BusClient),
    database: hasDatabase ? get(Database) : undefined,
    clock: get<Clock>(Clock),
    replies: get<DatabaseReplies | MemoryReplies>(Replies),
    connections: get(Connections),
    stopping: get(Stopping),
    readiness: get(Health),
  };
}

function warnOfWeakSettings(config: unknown, logger: Logger): void {
  const { exposed, plaintext } = (config ?? {}) as Partial<Config<Settings>>;
  if (plaintext) logger.warn({ settings: plaintext }, 'ALLOW_PLAINTEXT: connections without TLS');
  if (exposed) logger.warn({ settings: exposed }, 'sandbox exposed: other machines may act as any wallet');
}

/** Starts a service that answers operations over NATS, with health and metrics on its management port. */
export async function startService(options: ServiceOptions): Promise<RunningService> {
  const platform = await preparePlatform(options.app, options.config);
  const { logger, connections, stopping } = platform;
  let started: INestMicroservice | undefined;
  let [lease, standby]: [ServingLease?, Standby?] = [];
  const stop = async (): Promise<void> => {
    await standby?.stop();
    await started?.close();
    // The lease ends after the last commit.
    await lease?.release();
  };
  try {
    const nest = (started = await createMicroservice(options, platform));
    lease = options.lease && nest.get(options.lease, { strict: false });
    standby = lease && new Standby({ lease, stopping, ...serving(logger, nest) });
    await (standby ? standby.start() : nest.listen());
  } catch (error) {
    // Components that have started must not continue after a failed start.
    await stop().catch(() => undefined);
    await connections.closeAll();
    throw error;
  }
  const { app, database } = options;
  const parts = partsOf({ app, logger, hasDatabase: database !== undefined }, started);
  return host(parts, started, options, stop, standby && { lease: () => standby.state });
}

function createMicroservice(options: ServiceOptions, platform: Platform): Promise<INestMicroservice> {
  const { app, natsUrl, identity, access, otherSubjects, answersCalls, lease } = options;
  const bus = {
    app,
    url: natsUrl,
    identity,
    ...(access && { access }),
    ...(otherSubjects && { otherSubjects }),
    ...(answersCalls !== undefined && { answersCalls }),
    stream: options,
    ...(lease && { lease }),
  };
  return NestFactory.createMicroservice<AsyncMicroserviceOptions>(
    PlatformModule.forRoot({ ...options, bus }, platform),
    {
      inject: [BusServer],
      useFactory: (strategy: BusServer) => ({ strategy }),
      logger: new NestLogger(platform.logger),
      abortOnError: false,
    },
  ).then((nest) => nest.useGlobalFilters(new RpcExceptionFilter()));
}

function serving(logger: Logger, nest: INestMicroservice): Omit<StandbyOptions, 'lease' | 'stopping'> {
  return {
    logger,
    serve: () => nest.listen(),
    onFailed: (error) => {
      logger.error({ err: error }, 'taking over failed, exiting');
      endProcess();
    },
  };
}

/** Closes in order, and sets an exit code that makes a supervisor restart the process. */
function endProcess(): void {
  process.exitCode = 1;
  process.kill(process.pid, 'SIGTERM');
}

/**
 * Adds health, metrics and orderly closing to a Nest application. Closes it when the management port cannot be opened.
 */
export async function host(
  parts: ServiceParts,
  context: INestApplicationContext,
  options: Pick<ServiceOptions, 'managementHost' | 'managementPort'>,
  closeApp: () => Promise<void>,
  ownChecks: ReadinessChecks = {},
): Promise<RunningService> {
  const { bus, busWatch, connections, database, logger, stopping } = parts;
  let server: Server | undefined;
  let closing: Promise<void> | undefined;
  const close = async (): Promise<void> => {
    logger.info(stopping.times, 'stopping');
    await stopping.begin();
    try {
      await closeApp();
    } finally {
      await connections.closeAll();
      await new Promise((resolve) =>
        server ? server.close(resolve).closeAllConnections() : resolve(undefined),
      );
    }
    logger.info('stopped');
  };
  // A stopping service is not ready, so that load balancers withdraw it before it rejects calls.
  const checks: ReadinessChecks = {
    ...ownChecks,
    bus: () => !stopping.isStopping && bus.isConnected && busWatch.isHealthy,
  };
  const streams = context.get(StreamReadiness, { strict: false });
  checks['streams'] = () => streams.isComplete;
  if (database) checks['database'] = () => database.isReady();
  parts.readiness.checks = checks;
  const { managementHost, managementPort } = options;
  try {
    const { metrics } = parts;
    server = await startManagementServer({ host: managementHost, port: managementPort, metrics, checks });
  } catch (error) {
    await (closing = close());
    throw error;
  }
  // After the bus is closed for good, the service looks alive but answers no calls, so the process ends.
  void bus.closed.then((error) => {
    if (closing) return;
    logger.error({ err: error }, 'the connection to the bus was closed for good; the process ends');
    endProcess();
  });
  logger.info({ managementPort }, 'started');
  return {
    ...parts,
    context,
    health: () => readiness(checks),
    close: () => (closing ??= close()),
    closeTimeoutMs: stopping.longestMs,
  };
}
