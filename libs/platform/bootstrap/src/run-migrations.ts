import { databaseUrl, loadConfig, tlsFilesOf, tlsSettings } from '@tollbridge/config';
import { migrate, type MigrateOptions } from '@tollbridge/database';

/** The body of every `migrate.ts`: brings the app's schema up to date under the role that owns it. */
export function runMigrations(
  options: Pick<MigrateOptions, 'app' | 'migrations'> & { urlVariable: string },
): void {
  const { app, migrations, urlVariable } = options;
  const work = async (): Promise<string[]> => {
    const setting = databaseUrl({
      description: `PostgreSQL of ${app}, under the role that owns its schema`,
      example: 'postgres://owner:password@127.0.0.1:5432/tollbridge',
    });
    const config: Record<string, unknown> = loadConfig({
      [urlVariable]: setting,
      ...tlsSettings('database'),
    });
    const tls = tlsFilesOf(config, 'database');
    return migrate({ app, url: String(config[urlVariable]), tls, migrations });
  };
  work().then(
    (done) =>
      process.stdout.write(
        done.length > 0 ? `${app}: ran ${done.join(', ')}\n` : `${app}: the schema is up to date\n`,
      ),
    (error: Error & { errors?: Error[] }) => {
      // A host with several addresses fails with an AggregateError that has no message.
      const message = error.message || (error.errors ?? []).map((each) => each.message).join('; ');
      process.stderr.write(`${app}: ${message || error.name}\n`);
      process.exit(1);
    },
  );
}
