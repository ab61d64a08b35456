import { join } from 'node:path';
import { repository } from './directory.mjs';
import { natsPasswordVariable } from './nats-users.mjs';
import { answers } from './tcp.mjs';

/**
 * @param {object} options
 * @param {import('./directory.mjs').Directory} options.directory
 * @param {import('./server-programs.mjs').Programs} options.programs
 * @param {number} options.port
 * @param {Record<string, string>} options.passwords by user
 * @returns {import('./supervisor.mjs').ChildPlan}
 */
export function natsPlan({ directory, programs, port, passwords }) {
  const variables = Object.entries(passwords).map(([user, password]) => [
    natsPasswordVariable(user),
    password,
  ]);
  const env = {
    ...Object.fromEntries(variables),
    NATS_HOST: '127.0.0.1',
    NATS_PORT: String(port),
    // The server reads variables like values of its file, so a folder with a space in its name needs quotes.
    NATS_STORE_DIR: JSON.stringify(directory.privateFolder('nats')),
  };
  const args = ['-c', join(repository, 'deploy/nats', configurationFor(programs.natsVersion))];
  return {
    name: 'nats',
    command: async () => ({ program: programs.nats, args, env }),
    isReady: () => answers(port, '', 'INFO '),
  };
}

/** `sync_interval` came with 2.10, and older servers reject a file that has it. @param {string} version */
export function configurationFor(version) {
  const [major, minor] = version.split('.').map(Number);
  return major > 2 || minor >= 10 ? 'server.conf' : 'server-2.9.conf';
}

/** @param {string} user @param {string} password @param {number} port */
export const natsUrl = (user, password, port) => `nats://${user}:${password}@127.0.0.1:${port}`;
