import { Module, type DynamicModule } from '@nestjs/common';
import {
  Clock,
  Database,
  databaseEntities,
  DatabaseClock,
  DatabaseReplies,
  systemClock,
  type DatabaseOptions,
} from '@tollbridge/database';
import { Metrics, type Logger } from '@tollbridge/observability';
import { MemoryReplies } from '@tollbridge/rpc';
import { optionsProvider, type AsyncOptions } from './async-options';
import { Connections } from './connections';
import { DatabaseMetrics } from './database-metrics';
import { IdempotencySweep } from './idempotency-sweep';
import { DatabaseModuleOptionsToken, Replies, ServiceLogger } from './service-tokens';
import { WorkHints } from './work-hints';

/** `entities` are those of the app: the module adds the entities of libs/platform/database. */
export interface DatabaseModuleOptions extends Omit<DatabaseOptions, 'onError'> {
  /** Replaces the database's clock in tests. */
  clock?: Clock;
  /** Seals stored replies that hold a secret; needed by apps with such operations. */
  replySecret?: string;
}

/**
 * Opens the app's database: provides `Database`, the database's `Clock`, the store of replies to calls with an
 * idempotency key, and `WorkHints`.
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
        IdempotencySweep,
        WorkHints,
      ],
      exports: [Database, Clock, DatabaseReplies, Replies, WorkHints],
    };
  }

  /** For an app without a database: the time of the process, and replies that live as long as it does. */
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
  { clock: _clock, replySecret: _secret, ...options }: DatabaseModuleOptions,
  logger: Logger,
  connections: Connections,
  metrics: Metrics,
): Promise<Database> {
  const onError = (error: Error) => logger.warn({ err: error }, 'database connection broke');
  const entities = [...options.entities, ...(await databaseEntities())];
  const meter = new DatabaseMetrics(metrics, options.app);
  const database = await Database.open({ ...options, entities, onError, meter });
  meter.observePool(database.pool);
  connections.add('database', () => database.close());
  return database;
}

async function startClock(
  { pool }: Database,
  { clock }: DatabaseModuleOptions,
  connections: Connections,
): Promise<Clock> {
  if (clock) return clock;
  const started = await DatabaseClock.start(pool);
  connections.add('clock', () => started.stop());
  return started;
}
