import { Module, type DynamicModule } from '@nestjs/common';
import {
  Clock,
  connectionProblem,
  Database,
  databaseEntities,
  DatabaseClock,
  DatabaseReplies,
  Leases,
  migrationNames,
  readSchemaState,
  schemaProblem,
  schemaRelease,
  systemClock,
  type DatabaseOptions,
  type GroupFailure,
  type MigrationClass,
} from '@tollbridge/database';
import { ConfigurationError } from '@tollbridge/config';
import { GroupedWarnings, Metrics, type Logger } from '@tollbridge/observability';
import { MemoryReplies } from '@tollbridge/rpc';
import { optionsProvider, type AsyncOptions } from '../async-options';
import { Connections } from '../bus/connections';
import { DatabaseMetrics } from './database-metrics';
import { IdempotencySweep } from './idempotency-sweep';
import { LeaderWork } from '../work/leader-work';
import { LeaseMetrics } from '../work/lease-metrics';
import { SandboxClock } from '../work/sandbox-clock';
import { DatabaseModuleOptionsToken, Replies, ServiceLogger } from '../bus/service-tokens';
import { WorkHints } from '../work/work-hints';

/** `entities` are the app's own: the module adds the entities of libs/platform/database. */
export interface DatabaseModuleOptions extends Omit<DatabaseOptions, 'onError' | 'onGroupFailure'> {
  /** Replaces the database's clock in tests. */
  clock?: Clock;
  followsSandboxClock?: boolean;
  /** Encrypts stored replies that contain a secret. Apps with such operations need it. */
  replySecret?: string;
  /** Time until another replica takes over the work of a replica that died (`<APP>_LEADER_LEASE_MS`). */
  leaderLeaseMs?: number;
  /** The migrations that the schema must have. Without them the schema is not verified. */
  migrations?: readonly MigrationClass[];
}

/** Database options that an app sets itself. */
export type AppDatabase = Omit<
  DatabaseModuleOptions,
  'app' | 'clock' | 'followsSandboxClock' | 'replySecret'
>;

const defaultLeaderLeaseMs = 8_000;

/**
 * Opens the app's database. Provides `Database`, its `Clock`, the store of replies to calls with an idempotency key,
 * `Leases` of work for one replica, and `WorkHints`.
 */
@Module({})
export class DatabaseModule {
  static forRootAsync(options: AsyncOptions<DatabaseModuleOptions>): DynamicModule {
    return {
      module: DatabaseModule,
      global: true,
      providers: [
        optionsProvider(DatabaseModuleOptionsToken, options),
        {
          provide: Database,
          inject: [DatabaseModuleOptionsToken, ServiceLogger, Connections, Metrics],
          useFactory: openDatabase,
        },
        {
          provide: Clock,
          inject: [Database, DatabaseModuleOptionsToken, Connections],
          useFactory: startClock,
        },
        {
          provide: DatabaseReplies,
          inject: [Database, Clock, DatabaseModuleOptionsToken],
          useFactory: ({ pool }: Database, clock: Clock, { replySecret }: DatabaseModuleOptions) =>
            new DatabaseReplies(pool, clock, replySecret),
        },
        { provide: Replies, useExisting: DatabaseReplies },
        {
          provide: Leases,
          inject: [Database, DatabaseModuleOptionsToken, ServiceLogger, Metrics, WorkHints],
          useFactory: createLeases,
        },
        LeaderWork,
        IdempotencySweep,
        WorkHints,
      ],
      exports: [Database, Clock, DatabaseReplies, Leases, Replies, WorkHints],
    };
  }

  /** For an app without a database: the clock of the process, and replies that are kept in memory. */
  static withoutDatabase(clock: Clock = systemClock): DynamicModule {
    return {
      module: DatabaseModule,
      global: true,
      providers: [
        { provide: Clock, useValue: clock },
        { provide: Replies, useFactory: () => new MemoryReplies(() => clock.now()) },
      ],
      exports: [Clock, Replies],
    };
  }
}

async function openDatabase(
  {
    clock: _clock,
    followsSandboxClock: _follows,
    replySecret: _secret,
    leaderLeaseMs: _leaseMs,
    migrations,
    ...options
  }: DatabaseModuleOptions,
  logger: Logger,
  connections: Connections,
  metrics: Metrics,
): Promise<Database> {
  const onError = (error: Error) => logger.warn({ err: error }, 'database connection broke');
  const entities = [...options.entities, ...(await databaseEntities())];
  const meter = new DatabaseMetrics(metrics, options.app);
  const groups = metrics.counter(
    'tollbridge_database_group_failures_total',
    'Groups of requests with a shared statement that failed for a temporary reason',
    ['outcome'],
  );
  for (const outcome of ['retried', 'failed']) groups.inc({ outcome }, 0);
  const warnings = new GroupedWarnings(logger);
  const onGroupFailure = ({ error, items, isRetried }: GroupFailure): void => {
    groups.inc({ outcome: isRetried ? 'retried' : 'failed' });
    const cause = (error as Error).message;
    if (isRetried) warnings.warn(cause, { items, err: error }, 'group of statements failed, retrying');
  };
  const database = await Database.open({ ...options, entities, onError, onGroupFailure, meter });
  meter.observePool(database.pool);
  connections.add('database', () => database.close());
  if (migrations) await verifySchema(database, options, migrations);
  return database;
}

/** Fails the start if the schema or the number of connections would make requests fail later. */
async function verifySchema(
  { pool }: Database,
  { app, maxConnections, pooling }: DatabaseOptions,
  migrations: readonly MigrationClass[],
): Promise<void> {
  const needed = { app, migrations: migrationNames(migrations), release: schemaRelease };
  const problems = [
    schemaProblem(needed, await readSchemaState(pool)),
    // A pooler has its own connection limits.
    pooling === 'transaction' ? undefined : await connectionProblem(pool, { app, maxConnections }),
  ].filter((problem) => problem !== undefined);
  if (problems.length > 0) throw new ConfigurationError(problems);
}

async function startClock(
  { pool }: Database,
  { clock, followsSandboxClock }: DatabaseModuleOptions,
  connections: Connections,
): Promise<Clock> {
  if (clock) return clock;
  const started = await DatabaseClock.start(pool);
  connections.add('clock', () => started.stop());
  return followsSandboxClock ? new SandboxClock(started) : started;
}

function createLeases(
  { pool }: Database,
  { leaderLeaseMs = defaultLeaderLeaseMs }: DatabaseModuleOptions,
  logger: Logger,
  metrics: Metrics,
  hints: WorkHints,
): Leases {
  const measured = new LeaseMetrics(metrics);
  return new Leases({
    pool,
    leaseMs: leaderLeaseMs,
    onError: (error) => logger.warn({ err: error }, 'lease renewal failed, retrying'),
    onChange: (lease, change) => {
      measured.count(lease, change);
      if (change === 'lost') logger.warn({ lease }, 'lease lost');
      else if (change !== 'candidate') logger.debug({ lease, change }, 'lease changed');
    },
    onReleased: () => hints.leasesReleased(),
  });
}
