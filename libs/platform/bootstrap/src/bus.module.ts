import { Module, type DynamicModule } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import { callAccess } from '@tollbridge/contracts';
import { databaseFailure } from '@tollbridge/database';
import { Metrics, observeTraced, SpanKind, startSpan, type Logger } from '@tollbridge/observability';
import {
  BusClient,
  BusConnection,
  BusServer,
  callRejections,
  writtenSubject,
  type BusServerHooks,
  type CallAccess,
  type ReplyStore,
  type ServiceIdentity,
  type TlsFiles,
} from '@tollbridge/rpc';
import { optionsProvider, type AsyncOptions } from './async-options';
import { Connections } from './connections';
import { BusOptions, Replies, ServiceLogger, StreamLimitsToken } from './service-tokens';
import type { LeaseToken } from './standby';
import { Stopping } from './stopping';
import type { StreamLimits } from './stream-limits';
import { StreamReadiness } from './stream-readiness';

export interface BusModuleOptions {
  /** `pay-orders`: subjects, streams and consumers carry this name. */
  app: string;
  /** One NATS URL, or several separated by commas. */
  url: string;
  /** Of TLS to NATS. */
  tls?: TlsFiles;
  /** Signs the app's calls and verifies those of others. */
  identity: ServiceIdentity;
  /** Which app may call which operation; what libs/contracts declares unless a test says otherwise. */
  access?: CallAccess;
  /** Subjects below `op.<app>` that the app answers by itself. */
  otherSubjects?: readonly string[];
  /** Limits of the stream of the app's events (`streamSettings`). */
  stream?: StreamLimits;
  /** The provider of the lease without which the app does not answer. */
  lease?: LeaseToken;
}

/** Opens the connection to NATS: provides `BusConnection`, `BusClient` for calls, and the Nest transport `BusServer`. */
@Module({})
export class BusModule {
  static forRootAsync(options: AsyncOptions<BusModuleOptions>): DynamicModule {
    return {
      module: BusModule,
      global: true,
      providers: [
        optionsProvider(BusOptions, options),
        { provide: BusConnection, inject: [BusOptions, ServiceLogger, Connections], useFactory: openBus },
        { provide: BusClient, inject: [BusConnection, BusOptions, Connections], useFactory: openClient },
        {
          provide: BusServer,
          inject: [BusConnection, BusOptions, Replies, Metrics, ServiceLogger, Stopping, ModuleRef],
          useFactory: createServer,
        },
        StreamReadiness,
        {
          provide: StreamLimitsToken,
          inject: [BusOptions],
          useFactory: ({ stream }: BusModuleOptions) => stream ?? {},
        },
      ],
      exports: [BusConnection, BusClient, BusServer, StreamLimitsToken, StreamReadiness],
    };
  }
}

async function openBus(
  { app, url, tls }: BusModuleOptions,
  logger: Logger,
  connections: Connections,
): Promise<BusConnection> {
  const bus = await BusConnection.open({
    app,
    url,
    ...(tls && { tls }),
    onStatus: (status, detail) =>
      status !== 'pingTimer' && logger.info({ status, detail: String(detail) }, 'bus'),
  });
  connections.add('bus', () => bus.close());
  return bus;
}

function openClient(
  bus: BusConnection,
  { identity, access = callAccess }: BusModuleOptions,
  connections: Connections,
): BusClient {
  const client = new BusClient(bus, identity, access);
  connections.add('busClient', () => client.close());
  return client;
}

function createServer(
  bus: BusConnection,
  { identity, access = callAccess, otherSubjects = [], lease }: BusModuleOptions,
  replies: ReplyStore,
  metrics: Metrics,
  logger: Logger,
  { times }: Stopping,
  modules: ModuleRef,
): BusServer {
  return new BusServer(bus, {
    identity,
    access,
    hooks: hooksOf(metrics, logger),
    replies,
    drainTimeoutMs: times.timeoutMs,
    otherSubjects: new Set([...otherSubjects, writtenSubject(bus.app)]),
    // Looked up when a call arrives: the lease needs the connections itself.
    ...(lease && { isAnswering: () => modules.get(lease, { strict: false }).isHeld }),
  });
}

function hooksOf(metrics: Metrics, logger: Logger): BusServerHooks {
  const answered = metrics.tracedHistogram(
    'rpc_server_call_duration_seconds',
    'Time to answer an operation, by its outcome',
    ['rpc_method', 'rpc_response_status_code'],
  );
  /** By method and code: hashing the labels costs more than the count. */
  const observers = new Map<string, { observe(seconds: number): void }>();
  const rejected = metrics.counter('tollbridge_calls_rejected_total', 'Calls that no app may make', [
    'reason',
  ]);
  for (const reason of callRejections) rejected.inc({ reason }, 0);
  return {
    onAnswered: (method, code, seconds, traceId) => {
      const labels = { rpc_method: method, rpc_response_status_code: code };
      if (traceId !== undefined) return observeTraced(answered, labels, seconds, traceId);
      const name = `${code} ${method}`;
      let observer = observers.get(name);
      if (!observer) observers.set(name, (observer = answered.labels(labels)));
      observer.observe(seconds);
    },
    trace: (method, traceparent) =>
      startSpan(method, traceparent, SpanKind.SERVER, { 'rpc.system.name': 'nats', 'rpc.method': method }),
    explain: databaseFailure,
    onFault: (fields, operation, error) =>
      logger.error({ ...fields, operation, err: error }, 'an operation failed'),
    onRejected: ({ reason, caller }, operation) => {
      rejected.inc({ reason });
      logger.warn({ operation, reason, caller }, 'call rejected');
    },
  };
}
