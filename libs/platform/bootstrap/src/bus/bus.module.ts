import { Module, type DynamicModule } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import { appCalls, callAccess } from '@tollbridge/contracts';
import { databaseFailure } from '@tollbridge/database';
import {
  GroupedWarnings,
  Metrics,
  observeTraced,
  SpanKind,
  startSpan,
  type Logger,
} from '@tollbridge/observability';
import {
  BusClient,
  BusConnection,
  BusServer,
  BusWatch,
  callRejections,
  type DomainError,
  EventVerifier,
  replyRejections,
  writtenSubject,
  type BusServerHooks,
  type CallAccess,
  type ReplyStore,
  type ServiceIdentity,
  type TlsFiles,
} from '@tollbridge/rpc';
import { optionsProvider, type AsyncOptions } from '../async-options';
import { logBusStatus } from './bus-log';
import { Connections } from './connections';
import { eventSigningOf, eventVerifierOf, type PeerOptions } from './event-signing';
import { BusOptions, EventSigningToken, Replies, ServiceLogger, StreamLimitsToken } from './service-tokens';
import type { LeaseToken } from '../work/standby';
import { Stopping } from '../work/stopping';
import type { StreamLimits } from './stream-limits';
import { StreamReadiness } from './stream-readiness';

export interface BusModuleOptions {
  /** Name of the app, such as `pay-orders`; part of its subjects, streams and consumers. */
  app: string;
  /** One NATS URL, or several separated by commas. */
  url: string;
  /** Files for TLS to NATS. */
  tls?: TlsFiles;
  /** Signs the app's calls and verifies those of others. */
  identity: ServiceIdentity;
  /** The operations that each app may call; by default the declarations of libs/contracts. Tests replace it. */
  access?: CallAccess;
  /** Subjects below `op.<app>` that the app answers by itself. */
  otherSubjects?: readonly string[];
  /** False for an app that NATS does not permit to reply, so that it only makes calls. True by default. */
  answersCalls?: boolean;
  /** Limits of the stream of the app's events (`streamSettings`). */
  stream?: StreamLimits;
  /** Settings for peers that do not sign events, and for receivers of events outside the apps. */
  peers?: PeerOptions;
  /** Provider of the serving lease. With it, the app answers calls only while it holds the lease. */
  lease?: LeaseToken;
}

const noPeers: PeerOptions = { oldReleaseUntilMs: 0, eventReceivers: [] };

/**
 * Opens the connection to NATS. Provides `BusConnection`, `BusClient` for calls, and the Nest transport `BusServer`.
 */
@Module({})
export class BusModule {
  static forRootAsync(options: AsyncOptions<BusModuleOptions>): DynamicModule {
    return {
      module: BusModule,
      global: true,
      providers: [
        optionsProvider(BusOptions, options),
        {
          provide: BusConnection,
          inject: [BusOptions, Metrics, ServiceLogger, Connections],
          useFactory: openBus,
        },
        {
          provide: BusWatch,
          inject: [BusConnection, BusOptions, Metrics, ServiceLogger],
          useFactory: watchBus,
        },
        {
          provide: BusClient,
          inject: [BusConnection, BusOptions, Metrics, ServiceLogger, Connections],
          useFactory: openClient,
        },
        {
          provide: BusServer,
          inject: [BusConnection, BusOptions, Replies, Metrics, ServiceLogger, Stopping, ModuleRef],
          useFactory: createServer,
        },
        StreamReadiness,
        {
          provide: EventVerifier,
          inject: [BusOptions, Metrics, ServiceLogger],
          useFactory: ({ identity, peers = noPeers }: BusModuleOptions, metrics: Metrics, logger: Logger) =>
            eventVerifierOf(identity, peers, metrics, logger),
        },
        {
          provide: EventSigningToken,
          inject: [BusOptions, ServiceLogger],
          useFactory: ({ identity, peers = noPeers }: BusModuleOptions, logger: Logger) =>
            eventSigningOf(identity, peers, logger),
        },
        {
          provide: StreamLimitsToken,
          inject: [BusOptions],
          useFactory: ({ stream }: BusModuleOptions) => stream ?? {},
        },
      ],
      exports: [
        BusConnection,
        BusWatch,
        BusClient,
        BusServer,
        StreamLimitsToken,
        StreamReadiness,
        EventVerifier,
        EventSigningToken,
      ],
    };
  }
}

async function openBus(
  { app, url, tls, peers = noPeers }: BusModuleOptions,
  metrics: Metrics,
  logger: Logger,
  connections: Connections,
): Promise<BusConnection> {
  const onStatus = (status: string, detail: unknown): void => logBusStatus(logger, status, detail);
  const bus = await BusConnection.open({
    app,
    url,
    ...(tls && { tls }),
    oldReleaseUntilMs: peers.oldReleaseUntilMs,
    onStatus,
  });
  connections.add('bus', () => bus.close());
  metrics.gauge(
    'tollbridge_bus_connections',
    'Open sockets to NATS by purpose: 1 each, more when one was forgotten',
    ['purpose'],
    (gauge) => {
      gauge.reset();
      for (const [purpose, sockets] of bus.openSockets) gauge.set({ purpose }, sockets);
    },
  );
  return bus;
}

function watchBus(
  bus: BusConnection,
  { answersCalls = true }: BusModuleOptions,
  metrics: Metrics,
  logger: Logger,
): BusWatch {
  const violations = metrics.counter(
    'tollbridge_bus_permission_violations_total',
    'Subscriptions and published messages that NATS rejected',
    ['operation'],
  );
  for (const operation of ['publish', 'subscription']) violations.inc({ operation }, 0);
  const faults = metrics.counter(
    'tollbridge_bus_faults_total',
    'Times that calls could not reach this app, or its replies did not leave, on a connected bus',
  );
  const warnings = new GroupedWarnings(logger);
  bus.onViolation((violation) => {
    const { operation, subject } = violation;
    violations.inc({ operation });
    warnings.warn(`${operation} ${subject}`, violation, 'bus permission violated');
  });
  return new BusWatch(bus, {
    answersCalls,
    onFault: (fault, isRepeated) => {
      faults.inc();
      logger.error(fault, isRepeated ? 'bus fault repeated, exiting' : 'bus fault found, reconnecting');
    },
  });
}

function openClient(
  bus: BusConnection,
  { identity, access = callAccess, peers = noPeers }: BusModuleOptions,
  metrics: Metrics,
  logger: Logger,
  connections: Connections,
): BusClient {
  const timeouts = metrics.counter(
    'tollbridge_call_timeouts_total',
    'Calls that a service did not answer in time although the bus was connected',
    ['callee'],
  );
  const declared = appCalls[bus.app];
  for (const { app } of [...(declared?.asItself ?? []), ...(declared?.forPrincipal ?? [])])
    timeouts.inc({ callee: app }, 0);
  const lost = metrics.counter(
    'tollbridge_calls_lost_total',
    'Calls in flight that a lost connection to NATS ended with an unknown outcome',
  );
  const rejected = metrics.counter(
    'tollbridge_replies_rejected_total',
    'Replies with secrets that were not used, since their service has not sealed them for this app',
    ['reason'],
  );
  for (const reason of replyRejections) rejected.inc({ reason }, 0);
  const warnings = new GroupedWarnings(logger);
  const client = new BusClient(bus, identity, access, {
    onTimeout: ({ app, subject }) => {
      timeouts.inc({ callee: app });
      warnings.warn(subject, { operation: subject }, 'calls timed out');
    },
    onLost: (count) => {
      lost.inc(count);
      logger.warn({ count }, 'calls ended by a lost connection to NATS');
    },
    onRejectedReply: ({ reason }, { subject }) => {
      rejected.inc({ reason });
      warnings.warn(`${reason} ${subject}`, { operation: subject, reason }, 'reply rejected');
    },
    oldReleaseUntilMs: peers.oldReleaseUntilMs,
  });
  connections.add('busClient', () => client.close());
  return client;
}

function createServer(
  bus: BusConnection,
  { identity, access = callAccess, otherSubjects = [], lease, peers = noPeers }: BusModuleOptions,
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
    oldReleaseUntilMs: peers.oldReleaseUntilMs,
    otherSubjects: new Set([...otherSubjects, writtenSubject(bus.app)]),
    // Resolved for each call, because the lease itself depends on these connections.
    ...(lease && { isAnswering: () => modules.get(lease, { strict: false }).isHeld }),
  });
}

function hooksOf(metrics: Metrics, logger: Logger): BusServerHooks {
  const answered = metrics.tracedHistogram(
    'rpc_server_call_duration_seconds',
    'Time to answer an operation, by its outcome',
    ['rpc_method', 'rpc_response_status_code'],
  );
  /** Observers are stored by method and code, because hashing the labels costs more than the count. */
  const observers = new Map<string, { observe(seconds: number): void }>();
  const rejected = metrics.counter('tollbridge_calls_rejected_total', 'Calls that no app may make', [
    'reason',
  ]);
  for (const reason of callRejections) rejected.inc({ reason }, 0);
  const [warnings, rejections] = [new GroupedWarnings(logger), new GroupedWarnings(logger)];
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
    onFault: (fields, operation, error) => {
      const { code, cause } = error as DomainError;
      const line = { ...fields, operation, err: error };
      if (code === 'INTERNAL_ERROR') logger.error(line, 'an operation failed');
      else warnings.warn(`${operation} ${code} ${(cause as Error).message}`, line, 'an operation failed');
    },
    onRejected: ({ reason, caller }, operation) => {
      rejected.inc({ reason });
      // An unverified caller may be forged, so it is not part of the key that groups the warnings.
      rejections.warn(`${reason} ${operation}`, { operation, reason, caller }, 'call rejected');
    },
  };
}
