import { join } from 'node:path';
import { repository } from './directory.mjs';
import { natsOperator, natsPasswordVariable } from './nats-users.mjs';
import { answers } from './tcp.mjs';

// Three servers for the drill of a cluster. One is sufficient for everything else.
const serverCount = process.env.SANDBOX_NATS_SERVERS === '3' ? 3 : 1;

/** The names of the servers and of their ports. */
export const natsNames = ['nats', 'nats-2', 'nats-3'].slice(0, serverCount);

/** @param {string} name */
const clusterPort = (name) => `${name}-cluster`;

export const natsPortNames = serverCount === 1 ? natsNames : [...natsNames, ...natsNames.map(clusterPort)];

/**
 * @typedef {object} NatsOptions
 * @property {import('./directory.mjs').Directory} directory
 * @property {import('./server-programs.mjs').Programs} programs
 * @property {Record<string, number>} ports
 * @property {Record<string, string>} passwords by user
 * @property {string} [configuration] the folder of the server configuration; deploy/nats by default
 */

/** @param {NatsOptions} options @returns {import('./supervisor.mjs').ChildPlan[]} */
export const natsPlans = (options) => natsNames.map((name) => natsPlan(name, options));

/** @param {string} name @param {NatsOptions} options @returns {import('./supervisor.mjs').ChildPlan} */
function natsPlan(name, options) {
  const { directory, programs, ports, passwords, configuration = join(repository, 'deploy/nats') } = options;
  const variables = Object.entries(passwords).map(([user, password]) => [
    natsPasswordVariable(user),
    password,
  ]);
  const store = serverCount === 1 ? ['nats'] : ['nats', name];
  const env = {
    ...Object.fromEntries(variables),
    NATS_HOST: '127.0.0.1',
    NATS_PORT: String(ports[name]),
    // The server parses variables like values in its file, so a folder name with a space needs quotes.
    NATS_STORE_DIR: JSON.stringify(directory.privateFolder(...store)),
    ...(serverCount > 1 && clusterEnvironment(name, options)),
  };
  const file = configurationFor(programs.natsVersion);
  const args = ['-c', join(configuration, serverCount > 1 ? file.replace('server', 'cluster') : file)];
  return {
    name,
    command: async () => ({ program: programs.nats, args, env }),
    isReady: () => answers(ports[name], '', 'INFO '),
  };
}

/** @param {string} name @param {NatsOptions} options */
function clusterEnvironment(name, { ports, passwords }) {
  const password = passwords[natsOperator];
  const routes = natsNames.map(
    (other) => `nats://cluster:${password}@127.0.0.1:${ports[clusterPort(other)]}`,
  );
  return {
    NATS_SERVER_NAME: name,
    NATS_CLUSTER_HOST: '127.0.0.1',
    NATS_CLUSTER_PORT: String(ports[clusterPort(name)]),
    NATS_CLUSTER_PASSWORD: password,
    NATS_ROUTES: JSON.stringify(routes),
  };
}

/** `sync_interval` exists since 2.10. Older servers reject a file that contains it. @param {string} version */
export function configurationFor(version) {
  const [major, minor] = version.split('.').map(Number);
  return major > 2 || minor >= 10 ? 'server.conf' : 'server-2.9.conf';
}

/** @param {string} user @param {string} password @param {number} port */
export const natsUrl = (user, password, port) => `nats://${user}:${password}@127.0.0.1:${port}`;

/** The addresses of all servers. @param {string} user @param {string} password @param {Record<string, number>} ports */
export const natsUrls = (user, password, ports) =>
  natsNames.map((name) => natsUrl(user, password, ports[name])).join(',');
