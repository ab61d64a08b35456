import { spawnSync } from 'node:child_process';
import { chownSync } from 'node:fs';
import { join } from 'node:path';
import { Problem } from './problem.mjs';

// Postgres does not run as root. This user exists on every Linux and owns no other files of Tollbridge.
const serverUser = 'nobody';

/**
 * The user that runs Postgres: another user if this process is root, otherwise the current one.
 * @typedef {object} ServerUser
 * @property {(program: string, args: string[]) => { program: string, args: string[] }} command
 * @property {(path: string) => void} own makes the server's user the owner of a file or folder
 */

/** @param {string} folder the folder for the server's data @returns {ServerUser} */
export function chooseServerUser(folder) {
  if (process.getuid?.() !== 0)
    return { command: (program, args) => ({ program, args }), own: () => undefined };
  const uid = idOf('-u');
  const gid = idOf('-g');
  chownSync(folder, uid, gid);
  const plain = ['--reuid', String(uid), '--regid', String(gid), '--clear-groups'];
  // Other users cannot reach a checkout below a folder like /root. Only then, the server gets the right to access it.
  const passing = [...plain, '--inh-caps=+dac_override', '--ambient-caps=+dac_override'];
  // Tests the rights by writing a file, because `test -w` ignores capabilities.
  const probe = ['touch', join(folder, 'reachable')];
  const rights = [plain, passing].find(
    (options) => spawnSync('setpriv', [...options, ...probe]).status === 0,
  );
  if (!rights) {
    throw new Problem(
      `Postgres does not run as root, and the user ${serverUser} cannot reach ${folder}. ` +
        'Use a folder that others can reach: npm start -- --directory /var/tmp/tollbridge',
    );
  }
  return {
    command: (program, args) => ({ program: 'setpriv', args: [...rights, program, ...args] }),
    own: (path) => chownSync(path, uid, gid),
  };
}

/** @param {string} option */
function idOf(option) {
  const { stdout, status } = spawnSync('id', [option, serverUser], { encoding: 'utf8' });
  if (status === 0) return Number(stdout);
  throw new Problem(
    `Postgres does not run as root, and there is no user ${serverUser} here. Run npm start as an ordinary user.`,
  );
}
