import { createRoles, postgresPlan, postgresUrl } from './postgres.mjs';
import { natsNames, natsPlans, natsUrls } from './nats.mjs';
import { natsOperator } from './nats-users.mjs';
import { redisPlan, redisUrl } from './redis.mjs';

export const serverNames = ['postgres', ...natsNames, 'redis'];

/**
 * Postgres, NATS and Redis of one folder, for `npm start` and for tests.
 * @typedef {object} ServerOptions
 * @property {import('./directory.mjs').Directory} directory
 * @property {import('./server-programs.mjs').Programs} programs
 * @property {import('./passwords.mjs').Passwords} passwords
 * @property {Record<string, number>} ports
 * @property {string} [natsConfiguration] the folder of the NATS configuration; deploy/nats by default
 * @property {string[]} [roleOptions] options of psql for roles.sql
 */

/** @param {import('./supervisor.mjs').Supervisor} supervisor @param {ServerOptions} options */
export function startServers(supervisor, { directory, programs, passwords, ports, natsConfiguration }) {
  supervisor.start(
    postgresPlan({
      directory,
      programs: programs.postgres,
      port: ports.postgres,
      passwords: passwords.postgres,
    }),
  );
  const nats = { directory, programs, ports, passwords: passwords.nats };
  for (const plan of natsPlans({ ...nats, ...(natsConfiguration && { configuration: natsConfiguration }) }))
    supervisor.start(plan);
  supervisor.start(redisPlan({ directory, programs, port: ports.redis, password: passwords.redis }));
}

/** @param {ServerOptions} options */
export function prepareDatabase({ directory, programs, passwords, ports, roleOptions }) {
  return createRoles({
    directory,
    programs: programs.postgres,
    port: ports.postgres,
    passwords: passwords.postgres,
    ...(roleOptions && { roleOptions }),
  });
}

/** Returns URLs with all permissions, for people and tests but not for apps. @param {ServerOptions} options */
export function serverUrls({ passwords, ports }) {
  return {
    postgres: postgresUrl('postgres', passwords.postgres.postgres, ports.postgres, 'postgres'),
    nats: natsUrls(natsOperator, passwords.nats[natsOperator], ports),
    redis: redisUrl(passwords.redis, ports.redis),
  };
}
