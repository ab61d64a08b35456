import type { TlsFiles } from '@tollbridge/config';
import { setTimeout as sleep } from 'node:timers/promises';
import type { DataSource, MigrationInterface, QueryRunner } from 'typeorm';
import { sqlStateOf } from '../database-failure';
import type { MigrationClass } from './migration-class';
import { postgresConnection } from '../postgres-tls';
import { schemaRelease, schemaReleaseTable } from './schema-release';

export interface MigrateOptions {
  app: string;
  /**
   * URL without a pooler, for the role that owns the schema. The app itself runs under a role that cannot change it.
   */
  url: string;
  /** Files for TLS to PostgreSQL. */
  tls?: TlsFiles;
  migrations: MigrationClass[];
  /** Lock time-out of a statement, in milliseconds. Then the statement yields to the running app. */
  lockTimeoutMs?: number;
  /** Maximum attempts when locks are not free. */
  attempts?: number;
  onProgress?(line: string): void;
}

const defaultLockTimeoutMs = 3_000;
const defaultAttempts = 10;
const maxPauseMs = 30_000;
const lockNotAvailable = '55P03';
// Errors of a concurrent CREATE TABLE: a unique violation in the catalog, or a table or type with the same name.
const createdMeanwhile = ['23505', '42P07', '42710'];

/**
 * Runs the pending migrations, each in its own transaction, and returns their names. After a failure the
 * completed migrations stay, and the next run continues. Concurrent jobs are safe, because a lock on the
 * table `schema_release` admits one at a time.
 */
export async function migrate(options: MigrateOptions): Promise<string[]> {
  const { DataSource } = await import('typeorm');
  const { app, lockTimeoutMs = defaultLockTimeoutMs } = options;
  const { url, ssl } = postgresConnection(options.url, options.tls);
  const dataSource = new DataSource({
    type: 'postgres',
    url,
    applicationName: `${app} migration`,
    migrations: options.migrations,
    installExtensions: false,
    extra: {
      options: `-c statement_timeout=0 -c idle_in_transaction_session_timeout=0 -c lock_timeout=${lockTimeoutMs}`,
      ...(ssl && { ssl: ssl() }),
    },
  });
  await dataSource.initialize();
  const lock = dataSource.createQueryRunner();
  try {
    await lockSchema(lock);
    const before = await executed(dataSource);
    await runPending(dataSource, options);
    const done = (await executed(dataSource)).filter((name) => !before.includes(name));
    await requireValidIndexes(lock);
    await lock.query(
      `INSERT INTO schema_release (release) VALUES ($1)
       ON CONFLICT (singleton) DO UPDATE SET release = greatest(schema_release.release, excluded.release)`,
      [schemaRelease],
    );
    await lock.commitTransaction();
    return done;
  } finally {
    if (lock.isTransactionActive) await lock.rollbackTransaction().catch(() => undefined);
    await lock.release();
    await dataSource.destroy();
  }
}

/**
 * Begins a transaction that admits one job. SQL: this lock mode conflicts only with itself, so the app can read and
 * write. No query may follow on this connection while migrations run: index builds would wait for its snapshot.
 */
async function lockSchema(runner: QueryRunner): Promise<void> {
  // Another job may take long, so the wait for its lock has no time-out.
  await runner.query('SET lock_timeout = 0');
  await runner.query(schemaReleaseTable).catch((error: unknown) => {
    // Another job is creating the table at the same time, and IF NOT EXISTS does not see it yet.
    if (!createdMeanwhile.includes(sqlStateOf(error) ?? '')) throw error;
  });
  await runner.startTransaction();
  await runner.query('LOCK TABLE schema_release IN SHARE UPDATE EXCLUSIVE MODE');
}

async function executed(dataSource: DataSource): Promise<string[]> {
  const [found]: { exists: boolean }[] = await dataSource.query(
    `SELECT to_regclass('migrations') IS NOT NULL AS exists`,
  );
  if (!found!.exists) return [];
  const rows: { name: string }[] = await dataSource.query('SELECT name FROM migrations ORDER BY id');
  return rows.map(({ name }) => name);
}

async function runPending(dataSource: DataSource, options: MigrateOptions): Promise<void> {
  const { attempts = defaultAttempts, onProgress = () => undefined } = options;
  for (const migration of dataSource.migrations) report(migration, onProgress);
  for (let attempt = 1; ; attempt++) {
    try {
      await dataSource.runMigrations({ transaction: 'each' });
      return;
    } catch (error) {
      if (sqlStateOf(error) !== lockNotAvailable || attempt >= attempts) throw error;
    }
    const pauseMs = Math.min(500 * 2 ** attempt, maxPauseMs);
    onProgress(`a lock is not free, attempt ${attempt + 1} of ${attempts} in ${pauseMs / 1_000} s`);
    await sleep(pauseMs);
  }
}

function report(migration: MigrationInterface, onProgress: (line: string) => void): void {
  const name = migration.name ?? migration.constructor.name;
  const up = migration.up.bind(migration);
  migration.up = async (runner) => {
    onProgress(`${name} begins`);
    const startMs = performance.now();
    await up(runner);
    onProgress(`${name} took ${((performance.now() - startMs) / 1_000).toFixed(1)} s`);
  };
}

/** Rejects invalid indexes: a failed concurrent build leaves an index that is maintained but never read. */
async function requireValidIndexes(runner: QueryRunner): Promise<void> {
  const rows: { name: string }[] = await runner.query(
    `SELECT c.relname AS name FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
     WHERE NOT i.indisvalid AND c.relnamespace = current_schema()::regnamespace
       AND NOT EXISTS (SELECT FROM pg_stat_progress_create_index p WHERE p.index_relid = i.indexrelid)`,
  );
  if (rows.length === 0) return;
  const names = rows.map(({ name }) => name);
  throw new Error(
    `These indexes are invalid, because their build failed: ${names.join(', ')}. ` +
      `Rebuild each: REINDEX INDEX CONCURRENTLY ${names[0]!}`,
  );
}

/**
 * Builds an index of a table in use, without blocking writes. For a migration with `transaction = false`. The
 * invalid index of a failed build is dropped first, so the migration can be rerun.
 * @param target table, columns and condition, such as `orders (created_at) WHERE paid_at IS NULL`
 */
export async function createIndexConcurrently(
  runner: QueryRunner,
  name: string,
  target: string,
  { isUnique = false } = {},
): Promise<void> {
  // The build waits for running transactions without blocking others, so it needs no time-out.
  await runner.query('SET lock_timeout = 0');
  try {
    const [found]: { valid: boolean }[] = await runner.query(
      `SELECT i.indisvalid AS valid FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
       WHERE c.relname = $1 AND c.relnamespace = current_schema()::regnamespace`,
      [name],
    );
    if (found?.valid) return;
    if (found) await runner.query(`DROP INDEX CONCURRENTLY ${name}`);
    await runner.query(`CREATE ${isUnique ? 'UNIQUE ' : ''}INDEX CONCURRENTLY ${name} ON ${target}`);
  } finally {
    await runner.query('RESET lock_timeout').catch(() => undefined);
  }
}

/** A migration that builds one index of a table in use, and nothing else. */
export abstract class IndexMigration implements MigrationInterface {
  /** Name of the migration; equal to the class name. */
  abstract readonly name: string;
  readonly transaction = false as const;

  /** @param target see `createIndexConcurrently` */
  constructor(
    private readonly index: string,
    private readonly target: string,
  ) {}

  up(runner: QueryRunner): Promise<void> {
    return createIndexConcurrently(runner, this.index, this.target);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP INDEX ${this.index}`);
  }
}
