import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { answers } from './tcp.mjs';

/**
 * @param {object} options
 * @param {import('./directory.mjs').Directory} options.directory
 * @param {import('./server-programs.mjs').Programs} options.programs
 * @param {number} options.port
 * @param {string} options.password
 * @returns {import('./supervisor.mjs').ChildPlan}
 */
export function redisPlan({ directory, programs, port, password }) {
  const folder = directory.privateFolder('redis');
  const file = join(folder, 'redis.conf');
  return {
    name: 'redis',
    async command() {
      // The password is in a file, because arguments are visible to every user of the machine.
      const lines = [
        'bind 127.0.0.1',
        `port ${port}`,
        `requirepass ${password}`,
        `dir ${JSON.stringify(folder)}`,
        'daemonize no',
        'save ""',
        'appendonly yes',
        'appendfsync everysec',
      ];
      writeFileSync(file, `${lines.join('\n')}\n`, { mode: 0o600 });
      return { program: programs.redis, args: [file], env: { PATH: process.env.PATH } };
    },
    isReady: () => answers(port, `AUTH ${password}\r\nPING\r\n`, '+PONG'),
  };
}

/** @param {string} password @param {number} port */
export const redisUrl = (password, port) => `redis://:${password}@127.0.0.1:${port}`;
