import { createHash, randomBytes } from 'node:crypto';
import { Client, Pool } from 'pg';

/** Pool size of a tested app. A connection costs the server more than most tests do, and few are enough for races. */
export const testConnections = '8';

/** A database of one test file, with the roles and rights of production. */
export interface FreshDatabase {
  /** URL of the role that owns the schema, for migrations. */
  ownerUrl: string;
  /** URL of the app's role: it can only read and write rows of its schema. */
  runtimeUrl: string;
  /** Queries as the owner, for the test itself. */
  query<Row extends object = Record<string, unknown>>(text: string, values?: unknown[]): Promise<Row[]>;
  /** Closes every connection of the app, as a restart of the server would. */
  breakConnections(): Promise<void>;
  /** Limits the number of connections of the app, as roles.sql does. */
  limitConnections(count: number): Promise<void>;
  drop(): Promise<void>;
}

const revokeFunctions = `
  DO $$ DECLARE name regprocedure; BEGIN
    FOR name IN SELECT oid FROM pg_proc WHERE pronamespace = 'pg_catalog'::regnamespace AND (proname ~ '^pg_(try_)?advisory_'
      OR proname ~ '^lo_' OR proname IN ('loread', 'lowrite', 'pg_notify', 'pg_logical_emit_message'))
    LOOP EXECUTE format('REVOKE EXECUTE ON FUNCTION %s FROM PUBLIC', name); END LOOP;
  END $$`;

/**
 * Statements of deploy/postgres/roles.sql. Roles belong to the whole server, so their names contain the database's
 * name.
 */
function statementsOf(schema: string, { owner, runtime, password }: DatabaseNames) {
  const role = (name: string) => [
    `CREATE ROLE ${name} LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOREPLICATION NOBYPASSRLS NOINHERIT PASSWORD '${password}'`,
    `ALTER ROLE ${name} SET search_path = ${schema}`,
  ];
  return {
    onServer: [
      ...role(owner),
      ...role(runtime),
      `ALTER ROLE ${runtime} SET statement_timeout = '10s'`,
      `ALTER ROLE ${runtime} SET lock_timeout = '5s'`,
      `ALTER ROLE ${runtime} SET plan_cache_mode = force_custom_plan`,
      `ALTER ROLE ${runtime} SET idle_in_transaction_session_timeout = '10s'`,
    ],
    inDatabase: [
      `REVOKE ALL ON SCHEMA public FROM PUBLIC`,
      revokeFunctions,
      `CREATE SCHEMA ${schema} AUTHORIZATION ${owner}`,
      `GRANT USAGE ON SCHEMA ${schema} TO ${runtime}`,
      `ALTER DEFAULT PRIVILEGES FOR ROLE ${owner} IN SCHEMA ${schema} GRANT SELECT, INSERT, UPDATE, DELETE ON TABLES TO ${runtime}`,
      `ALTER DEFAULT PRIVILEGES FOR ROLE ${owner} IN SCHEMA ${schema} GRANT USAGE ON SEQUENCES TO ${runtime}`,
    ],
  };
}

const noSuchDatabase = '3D000';

/** Creates the tables of an app in its empty schema. */
export type Migrate = (ownerUrl: string) => Promise<unknown>;

interface DatabaseNames {
  database: string;
  owner: string;
  runtime: string;
  password: string;
}

const namesOf = (database: string, password: string): DatabaseNames => ({
  database,
  owner: `${database}_owner`,
  runtime: database,
  password,
});

/**
 * @param schema the schema of the tested app, such as `pay_orders`
 * @param migrate creates its tables, always the same for a schema. It runs once in a run, and each database is a copy.
 * The copies share their roles.
 */
export async function freshDatabase(schema: string, migrate?: Migrate): Promise<FreshDatabase> {
  const name = `${schema}_test_${process.pid}_${randomBytes(4).toString('hex')}`;
  if (!migrate) {
    const names = namesOf(name, randomBytes(12).toString('hex'));
    await createDatabase(schema, names);
    return openDatabase(names, [`DROP ROLE ${names.runtime}`, `DROP ROLE ${names.owner}`]);
  }
  const copied = namesOf(`${schema}_migrated`, passwordOfRun());
  const names = { ...copied, database: name };
  const copy = [
    `CREATE DATABASE ${name} TEMPLATE ${copied.database} STRATEGY file_copy`,
    ...databaseRights(names),
  ];
  await runAll(adminUrl(), copy).catch(async (error: { code?: string }) => {
    if (error.code !== noSuchDatabase) throw error;
    await createTemplate(schema, copied, migrate);
    await runAll(adminUrl(), copy);
  });
  return openDatabase(names, []);
}

/** Creates the template database for copies, unless another process of this run has created it. */
async function createTemplate(schema: string, names: DatabaseNames, migrate: Migrate): Promise<void> {
  const lock = new Client({ connectionString: adminUrl() });
  await lock.connect();
  try {
    await lock.query('SELECT pg_advisory_lock(hashtext($1))', [names.database]);
    const { rowCount } = await lock.query('SELECT FROM pg_database WHERE datname = $1', [names.database]);
    if (rowCount !== 0) return;
    const unfinished = { ...names, database: `${schema}_migrating` };
    await createDatabase(schema, unfinished);
    await migrate(urlOf(unfinished, unfinished.owner));
    // An open connection would prevent copies.
    await lock.query(`ALTER DATABASE ${unfinished.database} ALLOW_CONNECTIONS false`);
    await lock.query(`ALTER DATABASE ${unfinished.database} RENAME TO ${names.database}`);
  } finally {
    await lock.end();
  }
}

/** The same password in each process of a run; the run has its own server. */
const passwordOfRun = (): string => createHash('sha256').update(adminUrl()).digest('hex').slice(0, 24);

const databaseRights = ({ database, owner, runtime }: DatabaseNames): string[] => [
  `REVOKE ALL ON DATABASE ${database} FROM PUBLIC`,
  `GRANT CONNECT ON DATABASE ${database} TO ${owner}, ${runtime}`,
];

async function createDatabase(schema: string, names: DatabaseNames): Promise<void> {
  const { onServer, inDatabase } = statementsOf(schema, names);
  await runAll(adminUrl(), [...onServer, `CREATE DATABASE ${names.database}`, ...databaseRights(names)]);
  await runAll(within(adminUrl(), names.database), inDatabase);
}

function openDatabase(names: DatabaseNames, afterDrop: readonly string[]): FreshDatabase {
  const { database, runtime } = names;
  const admin = adminUrl();
  const ownerUrl = urlOf(names, names.owner);
  const pool = new Pool({ connectionString: ownerUrl, max: 2 });
  // A closing connection may still receive the error about its dropped database.
  pool.on('error', () => undefined);
  return {
    ownerUrl,
    runtimeUrl: urlOf(names, runtime),
    query: async <Row extends object>(text: string, values: unknown[] = []) =>
      (await pool.query<Row>(text, values)).rows,
    breakConnections: () =>
      runAll(admin, [
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${database}' AND usename = '${runtime}'`,
      ]),
    limitConnections: (count) => runAll(admin, [`ALTER ROLE ${runtime} CONNECTION LIMIT ${count}`]),
    async drop() {
      await pool.end();
      await runAll(admin, [`DROP DATABASE ${database} WITH (FORCE)`, ...afterDrop]);
    },
  };
}

function urlOf({ database, password }: DatabaseNames, role: string): string {
  const url = new URL(within(adminUrl(), database));
  url.username = role;
  url.password = password;
  return url.toString();
}

function adminUrl(): string {
  const url = process.env['TEST_POSTGRES_ADMIN_URL'];
  if (url) return url;
  throw new Error(
    'TEST_POSTGRES_ADMIN_URL is not set: run this by npm test, or by jest --selectProjects int',
  );
}

function within(url: string, database: string): string {
  const changed = new URL(url);
  changed.pathname = `/${database}`;
  return changed.toString();
}

async function runAll(url: string, statements: readonly string[]): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    for (const statement of statements) await client.query(statement);
  } finally {
    await client.end();
  }
}
