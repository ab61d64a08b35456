import type { TlsFiles } from '@tollbridge/config';
import type { MigrationInterface } from 'typeorm';
import { postgresConnection } from './postgres-tls';

export interface MigrateOptions {
  app: string;
  /** URL of the role that owns the schema; the app itself runs under a role that cannot change it. */
  url: string;
  /** Of TLS to PostgreSQL. */
  tls?: TlsFiles;
  migrations: (new () => MigrationInterface)[];
}

/** Runs the pending migrations and returns their names. Concurrent jobs are safe: an advisory lock admits one. */
export async function migrate({ app, tls, migrations, ...options }: MigrateOptions): Promise<string[]> {
  const { DataSource } = await import('typeorm');
  const { url, ssl } = postgresConnection(options.url, tls);
  const dataSource = new DataSource({
    type: 'postgres',
    url,
    ...(ssl && { extra: { ssl: ssl() } }),
    applicationName: `${app} migration`,
    migrations,
    installExtensions: false,
  });
  await dataSource.initialize();
  const lock = dataSource.createQueryRunner();
  try {
    // SQL: an advisory lock.
    await lock.query('SELECT pg_advisory_lock(hashtext($1))', [`migrate ${app}`]);
    const done = await dataSource.runMigrations({ transaction: 'all' });
    return done.map(({ name }) => name);
  } finally {
    await lock.release();
    await dataSource.destroy();
  }
}
