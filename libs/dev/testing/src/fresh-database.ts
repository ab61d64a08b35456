import { randomBytes } from 'node:crypto';
import { Client, Pool } from 'pg';

/** A database of one test file, with the roles and rights of production. */
export interface FreshDatabase {
  /** The role that owns the schema: for migrations. */
  ownerUrl: string;
  /** The role of the running app: it may read and write rows of its schema and nothing else. */
  runtimeUrl: string;
  /** Queries as the owner, for a test's own reads. */
  query<Row extends object = Record<string, unknown>>(text: string, values?: unknown[]): Promise<Row[]>;
  /** Breaks every connection of the running app, as a restart of the server would. */
  breakConnections(): Promise<void>;
  /** How many connections the running app may have, as roles.sql bounds them. */
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
 * Roles belong to the whole server, so their names contain the database's name; otherwise as in
 * deploy/postgres/roles.sql.
 */
function statementsOf(schema: string, owner: string, runtime: string, password: string) {
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

/** @param schema the schema of the tested app, such as `pay_orders` */
export async function freshDatabase(schema: string): Promise<FreshDatabase> {
  const admin = process.env['TEST_POSTGRES_ADMIN_URL'];
  if (!admin)
    throw new Error(
      'TEST_POSTGRES_ADMIN_URL is not set: run this by npm test, or by jest --selectProjects int',
    );
  const name = `${schema}_test_${process.pid}_${randomBytes(4).toString('hex')}`;
  const [owner, runtime, password] = [`${name}_owner`, name, randomBytes(12).toString('hex')];
  const { onServer, inDatabase } = statementsOf(schema, owner, runtime, password);
  await runAll(admin, [
    ...onServer,
    `CREATE DATABASE ${name}`,
    `REVOKE ALL ON DATABASE ${name} FROM PUBLIC`,
    `GRANT CONNECT ON DATABASE ${name} TO ${owner}, ${runtime}`,
  ]);
  await runAll(within(admin, name), inDatabase);
  const urlOf = (user: string): string => {
    const url = new URL(within(admin, name));
    url.username = user;
    url.password = password;
    return url.toString();
  };
  const pool = new Pool({ connectionString: urlOf(owner), max: 2 });
  // A closing connection may still receive the error that its database was dropped.
  pool.on('error', () => undefined);
  return {
    ownerUrl: urlOf(owner),
    runtimeUrl: urlOf(runtime),
    query: async <Row extends object>(text: string, values: unknown[] = []) =>
      (await pool.query<Row>(text, values)).rows,
    breakConnections: () =>
      runAll(admin, [`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = '${runtime}'`]),
    limitConnections: (count) => runAll(admin, [`ALTER ROLE ${runtime} CONNECTION LIMIT ${count}`]),
    async drop() {
      await pool.end();
      await runAll(admin, [
        `DROP DATABASE ${name} WITH (FORCE)`,
        `DROP ROLE ${runtime}`,
        `DROP ROLE ${owner}`,
      ]);
    },
  };
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
