import { spawnSync } from 'node:child_process';
import { chownSync } from 'node:fs';
import { join } from 'node:path';
import { Problem } from './problem.mjs';

// Postgres does not run as root. This user exists on every Linux and owns nothing else of ours.
const serverUser = 'nobody';

/**
 * The user that runs Postgres: another one for root, otherwise the present one.
 * @typedef {object} ServerUser
 * @property {(program: string, args: string[]) => { program: string, args: string[] }} command
 * @property {(path: string) => void} own makes a file or folder the server's
 */

/** @param {string} folder where the server's data will be @returns {ServerUser} */
export function chooseServerUser(folder) {
  if (process.getuid?.() !== 0)
    return { command: (program, args) => ({ program, args }), own: () => undefined };
  const uid = idOf('-u');
  const gid = idOf('-g');
  chownSync(folder, uid, gid);
  const plain = ['--reuid', String(uid), '--regid', String(gid), '--clear-groups'];
  // A checkout below a folder like /root cannot be reached by others: then, and only then, the server may pass anyway.
  const passing = [...plain, '--inh-caps=+dac_override', '--ambient-caps=+dac_override'];
  // Tried by writing: asking (`test -w`) answers without regard to the rights that were given.
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
