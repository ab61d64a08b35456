import { databaseUrl, integer, loadConfig, tlsFilesOf, tlsSettings } from '@tollbridge/config';
import { migrate, type MigrateOptions } from '@tollbridge/database';

/** Settings of every migration command, in addition to the database URL of its app. */
export const migrationSettings = {
  MIGRATION_LOCK_TIMEOUT_MS: integer({
    description:
      'how long a statement of a migration waits for a lock before it gives way to the running apps',
    example: '3000',
    default: 3_000,
    min: 100,
    max: 60_000,
  }),
  MIGRATION_ATTEMPTS: integer({
    description: 'how often a migration is tried while its locks are not free, with growing pauses',
    example: '10',
    default: 10,
    min: 1,
    max: 100,
  }),
};

/** The body of every `migrate.ts`: migrates the app's schema, as the role that owns it. */
export function runMigrations(
  options: Pick<MigrateOptions, 'app' | 'migrations'> & { urlVariable: string },
): void {
  const { app, migrations, urlVariable } = options;
  const work = async (): Promise<string[]> => {
    const setting = databaseUrl({
      description: `PostgreSQL of ${app}, under the role that owns its schema`,
      example: 'postgres://owner:password@127.0.0.1:5432/tollbridge',
    });
    const config = loadConfig({
      [urlVariable]: setting,
      ...tlsSettings('database'),
      ...migrationSettings,
    } as typeof migrationSettings);
    return migrate({
      app,
      url: String((config as Record<string, unknown>)[urlVariable]),
      tls: tlsFilesOf(config, 'database'),
      migrations,
      lockTimeoutMs: config.MIGRATION_LOCK_TIMEOUT_MS,
      attempts: config.MIGRATION_ATTEMPTS,
      onProgress: (line) => process.stdout.write(`${app}: ${line}\n`),
    });
  };
  work().then(
    (done) =>
      process.stdout.write(
        done.length > 0 ? `${app}: ran ${done.join(', ')}\n` : `${app}: the schema is up to date\n`,
      ),
    (error: Error & { errors?: Error[] }) => {
      // A connection to a host with several addresses fails with an AggregateError, which has no message.
      const message = error.message || (error.errors ?? []).map((each) => each.message).join('; ');
      process.stderr.write(`${app}: ${message || error.name}\n`);
      process.exit(1);
    },
  );
}
