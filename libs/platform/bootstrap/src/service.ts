import {
  type DynamicModule,
  type INestApplicationContext,
  type INestMicroservice,
  Module,
  type Type,
} from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { callAccess } from '@tollbridge/contracts';
import {
  BusClient,
  BusConnection,
  BusServer,
  MemoryReplies,
  RpcExceptionFilter,
  writtenSubject,
  type BusServerHooks,
  type CallAccess,
  type ServiceIdentity,
} from '@tollbridge/rpc';
import {
  Clock,
  Database,
  DatabaseClock,
  databaseFailure,
  DatabaseReplies,
  systemClock,
  type DatabaseOptions,
} from '@tollbridge/database';
import { createLogger, Metrics, NestLogger, startTracing, type Logger } from '@tollbridge/observability';
import type { Server } from 'node:http';
import { IdempotencySweep } from './idempotency-sweep';
import {
  readiness,
  startManagementServer,
  type HealthReport,
  type ReadinessChecks,
} from './management-server';
import { ServiceConfig, ServiceLogger, StreamMaxMb } from './service-tokens';
import { Standby, type ServingLease, type StandbyOptions } from './standby';
import { WorkHints } from './work-hints';

export interface ServiceOptions {
  /** `pay-orders`: subjects, schema, logs and metrics carry this name. */
  app: string;
  module: Type;
  natsUrl: string;
  /** Signs the app's calls and verifies those of others. */
  identity: ServiceIdentity;
  /** Which app may call which operation; that of the product unless a test says otherwise. */
  access?: CallAccess;
  managementHost: string;
  managementPort: number;
  config: unknown;
  database?: Omit<DatabaseOptions, 'app' | 'onError'>;
  /** Replaces the database's clock in tests. */
  clock?: Clock;
  /** What replies are sealed under that hold a secret; needed by services with such operations. */
  replySecret?: string;
  /** Subjects below `op.<app>` that the app answers by itself. */
  otherSubjects?: readonly string[];
  /** Bound of the stream of the app's events, in MB (`streamSettings`); 256 without it. */
  streamMaxMb?: number;
  /** A provider of the module: without this lease the app only stands by, with health and metrics. */
  lease?: Type<ServingLease>;
}

export interface ServiceParts {
  app: string;
  logger: Logger;
  metrics: Metrics;
  bus: BusConnection;
  busClient: BusClient;
  identity: ServiceIdentity;
  access: CallAccess;
  database: Database | undefined;
  clock: Clock;
  /** Where replies to calls with an idempotency key are kept. */
  replies: DatabaseReplies | MemoryReplies;
  streamMaxMb: number | undefined;
}

export interface RunningService extends ServiceParts {
  context: INestApplicationContext;
  health(): Promise<HealthReport>;
  /** Finishes what was begun, then closes; the second call waits for the first. */
  close(): Promise<void>;
}

@Module({})
export class ServiceModule {
  static with(parts: ServiceParts, config: unknown, module: Type): DynamicModule {
    const providers = [
      { provide: ServiceLogger, useValue: parts.logger },
      { provide: ServiceConfig, useValue: config },
      { provide: Metrics, useValue: parts.metrics },
      { provide: BusConnection, useValue: parts.bus },
      { provide: BusClient, useValue: parts.busClient },
      { provide: Clock, useValue: parts.clock },
      { provide: StreamMaxMb, useValue: parts.streamMaxMb },
      ...(parts.database ? [{ provide: Database, useValue: parts.database }, WorkHints] : []),
      ...(parts.replies instanceof DatabaseReplies
        ? [{ provide: DatabaseReplies, useValue: parts.replies }, IdempotencySweep]
        : []),
    ];
    return { module: ServiceModule, global: true, providers, exports: providers, imports: [module] };
  }
}

/** Opens what a service needs, in the order in which it is needed. */
export async function openParts(options: ServiceOptions): Promise<ServiceParts> {
  const { app, identity, access = callAccess, streamMaxMb } = options;
  await startTracing(app);
  const logger = createLogger(app);
  warnOfExposure(options.config, logger);
  const metrics = new Metrics(app);
  const bus = await BusConnection.open({
    app,
    url: options.natsUrl,
    onStatus: (status, detail) =>
      status !== 'pingTimer' && logger.info({ status, detail: String(detail) }, 'bus'),
  });
  const onError = (error: Error) => logger.warn({ err: error }, 'a database connection broke');
  let database: Database | undefined;
  try {
    database = options.database && (await Database.open({ ...options.database, app, onError }));
    const clock = options.clock ?? (database ? await DatabaseClock.start(database.pool) : systemClock);
    const replies = database
      ? new DatabaseReplies(database.pool, clock, options.replySecret)
      : new MemoryReplies(() => clock.now());
    const busClient = new BusClient(bus, identity, access);
    const opened = { app, logger, metrics, bus, busClient, identity, access };
    return { ...opened, database, clock, replies, streamMaxMb };
  } catch (error) {
    await database?.close();
    await bus.close();
    throw error;
  }
}

function warnOfExposure(config: unknown, logger: Logger): void {
  const { exposed } = (config ?? {}) as { exposed?: readonly string[] };
  if (exposed) logger.warn({ settings: exposed }, 'sandbox exposed: other machines may act as any wallet');
}

// Everything that used the database has ended by then; a connection that nobody gave back must not hold up the stop.
const closeTimeoutMs = 5_000;

/** Whether the work was done in time. */
async function within(timeoutMs: number, work: Promise<void> | undefined): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<boolean>((resolve) => (timer = setTimeout(() => resolve(false), timeoutMs)));
  return Promise.race([Promise.resolve(work).then(() => true), timeout]).finally(() => clearTimeout(timer));
}

async function closeParts({ busClient, bus, clock, database, logger }: ServiceParts): Promise<void> {
  busClient.close();
  await bus.close();
  if (clock instanceof DatabaseClock) clock.stop();
  const isClosed = await within(closeTimeoutMs, database?.close());
  if (!isClosed) logger.error('a database connection is still in use; it is left to end with the process');
}

/** Starts a service that answers operations over NATS, with health and metrics on its management port. */
export async function startService(options: ServiceOptions): Promise<RunningService> {
  const parts = await openParts(options);
  let started: INestMicroservice | undefined;
  let [lease, standby]: [ServingLease?, Standby?] = [];
  const stop = async (): Promise<void> => {
    await standby?.stop();
    await started?.close();
    // After the last commit.
    await lease?.release();
  };
  try {
    const isAnswering = options.lease && (() => lease?.isHeld === true);
    started = await NestFactory.createMicroservice(
      ServiceModule.with(parts, options.config, options.module),
      {
        strategy: strategyOf(parts, options.otherSubjects, isAnswering),
        logger: new NestLogger(parts.logger),
        abortOnError: false,
      },
    );
    const nest = started;
    nest.useGlobalFilters(new RpcExceptionFilter());
    lease = options.lease && nest.get(options.lease, { strict: false });
    standby = lease && new Standby({ lease, ...serving(parts, nest) });
    await (standby ? standby.start() : nest.listen());
  } catch (error) {
    // What has begun must not go on in a process that says that it has not started.
    await stop().catch(() => undefined);
    await closeParts(parts);
    throw error;
  }
  return host(parts, started, options, stop, standby && { lease: () => standby.state });
}

function serving({ logger }: ServiceParts, nest: INestMicroservice): Omit<StandbyOptions, 'lease'> {
  return {
    logger,
    serve: () => nest.listen(),
    onFailed: (error) => {
      logger.error({ err: error }, 'taking over failed, exiting');
      endProcess();
    },
  };
}

/** Closes in order, and ends with an exit code by which a supervisor starts the process again. */
function endProcess(): void {
  process.exitCode = 1;
  process.kill(process.pid, 'SIGTERM');
}

function strategyOf(
  { bus, identity, access, logger, metrics, replies }: ServiceParts,
  otherSubjects: readonly string[] = [],
  isAnswering?: () => boolean,
): BusServer {
  const answered = metrics.histogram('tollbridge_operation_seconds', 'Time to answer an operation', [
    'operation',
    'code',
  ]);
  const rejected = metrics.counter('tollbridge_calls_rejected_total', 'Calls that no app may make', [
    'reason',
  ]);
  const hooks: BusServerHooks = {
    onAnswered: (operation, code, seconds) => answered.observe({ operation, code }, seconds),
    explain: databaseFailure,
    onFault: (fields, operation, error) =>
      logger.error({ ...fields, operation, err: error }, 'an operation failed'),
    onRejected: ({ reason, caller }, operation) => {
      rejected.inc({ reason });
      logger.warn({ operation, reason, caller }, 'call rejected');
    },
  };
  return new BusServer(bus, {
    ...{ identity, access, hooks, replies },
    otherSubjects: new Set([...otherSubjects, writtenSubject(bus.app)]),
    ...(isAnswering && { isAnswering }),
  });
}

/** Adds health, metrics and orderly closing to a Nest application, and closes it when they cannot be had. */
export async function host(
  parts: ServiceParts,
  context: INestApplicationContext,
  options: Pick<ServiceOptions, 'managementHost' | 'managementPort'>,
  closeApp: () => Promise<void>,
  ownChecks: ReadinessChecks = {},
): Promise<RunningService> {
  const { bus, database, logger } = parts;
  let server: Server | undefined;
  let closing: Promise<void> | undefined;
  const close = async (): Promise<void> => {
    try {
      await closeApp();
    } finally {
      await closeParts(parts);
      await new Promise((resolve) =>
        server ? server.close(resolve).closeAllConnections() : resolve(undefined),
      );
    }
    logger.info('stopped');
  };
  // A service that is closing finishes what it has, and wants nothing more.
  const checks: ReadinessChecks = { ...ownChecks, bus: () => !closing && bus.isConnected };
  if (database) checks['database'] = () => database.isReady();
  const { managementHost, managementPort } = options;
  try {
    const { registry } = parts.metrics;
    server = await startManagementServer({ host: managementHost, port: managementPort, registry, checks });
  } catch (error) {
    await (closing = close());
    throw error;
  }
  // A bus that is closed for good leaves a service that looks alive and answers nothing: it is better restarted.
  void bus.closed.then((error) => {
    if (closing) return;
    logger.error({ err: error }, 'the connection to the bus was closed for good; the process ends');
    endProcess();
  });
  logger.info({ managementPort }, 'started');
  return { ...parts, context, health: () => readiness(checks), close: () => (closing ??= close()) };
}
