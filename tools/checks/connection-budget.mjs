import { readFileSync } from 'node:fs';

/**
 * A process group that opens connections to PostgreSQL. Each process opens only the connections of its pool.
 * @typedef {object} PooledApp
 * @property {string} app
 * @property {number} replicas the maximum of the autoscaler
 * @property {number} [surge] additional replicas during the rollout of a release
 * @property {number} connections `<APP>_DATABASE_CONNECTIONS`
 */

// superuser_reserved_connections of PostgreSQL, which the apps cannot use.
const reservedForSuperusers = 3;
// For psql sessions, the backup, and the metrics exporter.
const reservedForOperators = 10;
// The lock, the statements, and a second waiting job: the limit of owner roles in roles.sql.
const connectionsOfMigration = 3;

/** @returns {number} max_connections of deploy/postgres/postgresql.conf */
export function configuredConnections() {
  const text = readFileSync(new URL('../../deploy/postgres/postgresql.conf', import.meta.url), 'utf8');
  return Number(/^max_connections = (\d+)$/m.exec(text)?.[1]);
}

/**
 * The limits of the runtime roles in deploy/postgres/roles.sql, with the variables that the file reads.
 * @param {NodeJS.ProcessEnv} [environment]
 * @returns {Record<string, number>} by schema
 */
export function configuredRoleLimits(environment = process.env) {
  const text = readFileSync(new URL('../../deploy/postgres/roles.sql', import.meta.url), 'utf8');
  const rows = text.matchAll(/\$\{POSTGRES_(\w+)_CONNECTIONS:-(\d+)\}/g);
  return Object.fromEntries(
    [...rows].map(([, schema, limit]) => [
      schema.toLowerCase(),
      Number(environment[`POSTGRES_${schema}_CONNECTIONS`] || limit),
    ]),
  );
}

/** @param {PooledApp} app @returns {number} the maximum of connections of its processes */
export const connectionsOf = ({ replicas, surge = 0, connections }) => (replicas + surge) * connections;

/**
 * Compares the maximum of connections of the apps with the maximum of PostgreSQL.
 * @param {{ apps: PooledApp[], migrationJobs?: number, maxConnections: number }} input `migrationJobs` run at the same
 * time
 * @returns {{ needed: number, lines: string[], problems: string[] }} `problems` is empty if the budget is met
 */
export function connectionBudget({ apps, migrationJobs = 1, maxConnections }) {
  const problems = apps.flatMap(({ app, replicas, surge = 0, connections }) =>
    [replicas, surge, connections].every((count) => Number.isSafeInteger(count) && count >= 0)
      ? []
      : [`${app}: replicas, surge and connections must be whole numbers`],
  );
  const rows = [
    ...apps.map((app) => ({
      text: `${app.app}: (${app.replicas} + ${app.surge ?? 0}) x ${app.connections}`,
      count: connectionsOf(app),
    })),
    {
      text: `migrations: ${migrationJobs} x ${connectionsOfMigration}`,
      count: migrationJobs * connectionsOfMigration,
    },
    { text: 'superusers', count: reservedForSuperusers },
    { text: 'operators, backup, monitoring', count: reservedForOperators },
  ];
  const needed = rows.reduce((sum, { count }) => sum + count, 0);
  if (!(needed <= maxConnections))
    problems.push(
      `${needed} connections are needed, and max_connections is ${maxConnections}: raise it, lower a pool, or use PgBouncer`,
    );
  return { needed, lines: rows.map(({ text, count }) => `${text} = ${count}`), problems };
}
