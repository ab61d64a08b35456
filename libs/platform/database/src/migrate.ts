import type { MigrationInterface } from 'typeorm';

export interface MigrateOptions {
  app: string;
  /** URL of the role that owns the schema; the app itself runs under a role that cannot change it. */
  url: string;
  migrations: (new () => MigrationInterface)[];
}

/** Runs the pending migrations and returns their names. Concurrent jobs are safe: an advisory lock admits one. */
export async function migrate({ app, url, migrations }: MigrateOptions): Promise<string[]> {
  const { DataSource } = await import('typeorm');
  const dataSource = new DataSource({
    type: 'postgres',
    url,
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
