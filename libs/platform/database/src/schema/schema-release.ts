import type { Pool } from 'pg';
import type { MigrationClass } from './migration-class';

/**
 * The schema release of this code, a whole number that increases by one with each release of the product. An app runs
 * on schemas of its own release and of the next one. In this way the previous images can be deployed again.
 */
export const schemaRelease = 2;

/** The release of the newest executed migrations. `migrate` creates the table, as TypeORM creates `migrations`. */
export const schemaReleaseTable = `
  CREATE TABLE IF NOT EXISTS schema_release (
    singleton boolean PRIMARY KEY DEFAULT true CHECK (singleton),
    release integer NOT NULL
  )`;

/** Schema state from the tables of the migrations. */
export interface SchemaState {
  /** Names of the executed migrations. */
  migrations: ReadonlySet<string>;
  /** Undefined for a schema that was migrated before releases were recorded. */
  release: number | undefined;
}

export interface NeededSchema {
  app: string;
  migrations: readonly string[];
  release: number;
}

/** @returns why the app cannot run on the schema, or undefined if it can */
export function schemaProblem(
  { app, migrations, release }: NeededSchema,
  state: SchemaState,
): string | undefined {
  const pending = migrations.filter((name) => !state.migrations.has(name));
  if (pending.length > 0)
    return (
      `the schema of ${app} is older than the app. Pending migrations: ${pending.join(', ')}. ` +
      `Run them first: node apps/${app}/dist/migrate.js`
    );
  if (state.release === undefined || state.release <= release + 1) return undefined;
  return (
    `the schema of ${app} is of release ${state.release}, and this app is of release ${release}. ` +
    `It runs on release ${release} and ${release + 1} only. Deploy the images of release ${state.release - 1} or ${state.release}`
  );
}

export const migrationNames = (migrations: readonly MigrationClass[]): string[] =>
  migrations.map((Migration) => new Migration().name ?? Migration.name);

/** Reads the schema state with the privileges of the running app. SQL: reads the tables of TypeORM and of `migrate`. */
export async function readSchemaState(pool: Pool): Promise<SchemaState> {
  const { rows } = await pool.query<{ has_migrations: boolean; has_release: boolean }>(
    `SELECT to_regclass('migrations') IS NOT NULL AS has_migrations,
       to_regclass('schema_release') IS NOT NULL AS has_release`,
  );
  const { has_migrations: hasMigrations, has_release: hasRelease } = rows[0]!;
  const migrations = hasMigrations
    ? (await pool.query<{ name: string }>('SELECT name FROM migrations')).rows
    : [];
  const release = hasRelease
    ? (await pool.query<{ release: number }>('SELECT release FROM schema_release')).rows
    : [];
  return { migrations: new Set(migrations.map(({ name }) => name)), release: release[0]?.release };
}

/** @returns an error if the server permits the app's role fewer connections than its pool may open, else undefined */
export async function connectionProblem(
  pool: Pool,
  { app, maxConnections }: { app: string; maxConnections: number },
): Promise<string | undefined> {
  const { rows } = await pool.query<{ bound: number }>(
    `SELECT least(nullif(rolconnlimit, -1),
       current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int) AS bound
     FROM pg_roles WHERE rolname = current_user`,
  );
  const bound = rows[0]!.bound;
  if (maxConnections <= bound) return undefined;
  const name = `${app.toUpperCase().replaceAll('-', '_')}_DATABASE_CONNECTIONS`;
  return `${name} is ${maxConnections}, and PostgreSQL gives this role ${bound}: lower it, or raise the limit`;
}
