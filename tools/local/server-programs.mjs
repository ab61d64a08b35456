import { spawnSync } from 'node:child_process';
import { accessSync, constants, readdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { installServers } from './install-servers.mjs';
import { Problem } from './problem.mjs';

/**
 * @typedef {object} Programs
 * @property {{ postgres: string, initdb: string, psql: string }} postgres
 * @property {string} nats
 * @property {string} natsVersion
 * @property {string} redis
 */

// Required programs, their packages in Debian and Ubuntu, and the oldest supported version.
const servers = [
  { program: 'postgres', package: 'postgresql', oldest: [14, 0] },
  { program: 'nats-server', package: 'nats-server', oldest: [2, 9] },
  { program: 'redis-server', package: 'redis-server', oldest: [6, 0] },
];

// Programs that only some tests and drills need.
const others = [
  { program: 'promtool', package: 'prometheus', oldest: [2, 42] },
  { program: 'amtool', package: 'prometheus-alertmanager', oldest: [0, 25] },
  { program: 'pgbackrest', package: 'pgbackrest', oldest: [2, 45], version: 'version' },
  { program: 'pgbouncer', package: 'pgbouncer', oldest: [1, 18] },
  { program: 'patroni', package: 'patroni', oldest: [3, 0] },
  { program: 'etcd', package: 'etcd-server', oldest: [3, 4] },
  { program: 'haproxy', package: 'haproxy', oldest: [2, 6], version: '-v' },
  { program: 'minica', package: 'minica' },
  { program: 'clang-19', package: 'clang-19', oldest: [19, 1] },
  { program: 'chromium', package: 'chromium', oldest: [120, 0] },
  { program: 'zsh', package: 'zsh', oldest: [5, 8] },
  { program: 'fish', package: 'fish', oldest: [3, 1] },
];

/**
 * Finds programs that only some tests and drills need, and installs missing ones.
 * @param {string[]} names such as `promtool`
 * @param {(text: string) => void} note
 * @returns {Promise<string[]>} the paths of the programs, in the order of `names`
 */
export async function ensurePrograms(names, note) {
  const wanted = names.map((name) => {
    const known = others.find(({ program }) => program === name);
    if (!known)
      throw new Problem(`${name} is not in the list of programs in tools/local/server-programs.mjs.`);
    return known;
  });
  const missing = wanted.filter(({ program }) => !find(program));
  if (missing.length > 0) await installServers(missing, note);
  return wanted.map(({ program, oldest, version }) => usable(program, oldest, version).path);
}

/**
 * Finds the servers and installs missing ones.
 * @param {(text: string) => void} note
 * @returns {Promise<Programs>}
 */
export async function ensureServers(note) {
  const missing = servers.filter(({ program }) => !find(program));
  if (missing.length > 0) await installServers(missing, note);
  const [postgres, nats, redis] = servers.map(({ program, oldest }) => usable(program, oldest));
  note(`Postgres ${postgres.version}, NATS ${nats.version}, Redis ${redis.version}`);
  const tools = { initdb: join(postgres.path, '../initdb'), psql: join(postgres.path, '../psql') };
  return {
    postgres: { postgres: postgres.path, ...tools },
    nats: nats.path,
    natsVersion: nats.version,
    redis: redis.path,
  };
}

/**
 * @param {string} program
 * @param {number[]} [oldest] any version by default
 * @param {string} [argument] the argument that prints the version
 */
function usable(program, oldest, argument = '--version') {
  const path = find(program);
  if (!path)
    throw new Problem(
      `${program} is still missing after its installation. Install it so that it is in the PATH.`,
    );
  if (!oldest) return { path, version: '' };
  const { stdout, stderr } = spawnSync(path, [argument], { encoding: 'utf8' });
  const version = /(\d+)\.(\d+)(\.\d+)?/.exec(`${stdout}${stderr}`)?.[0] ?? '';
  const [major, minor] = version.split('.').map(Number);
  if (major > oldest[0] || (major === oldest[0] && minor >= oldest[1])) return { path, version };
  throw new Problem(
    `${path} is version ${version || 'unknown'}; ${oldest.join('.')} or newer is needed. Install a newer one.`,
  );
}

/** @param {string} program @returns {string | undefined} */
function find(program) {
  return searchPath()
    .map((folder) => join(folder, program))
    .find(isExecutable);
}

/** The PATH of a normal user does not contain the folders of servers, and Debian keeps Postgres outside any PATH. */
function searchPath() {
  const versions = '/usr/lib/postgresql';
  const postgres = list(versions)
    .sort((a, b) => Number(b) - Number(a))
    .map((version) => join(versions, version, 'bin'));
  const usual = [
    '/usr/local/sbin',
    '/usr/local/bin',
    '/usr/sbin',
    '/usr/bin',
    '/sbin',
    '/bin',
    '/opt/homebrew/bin',
  ];
  return [...postgres, ...(process.env.PATH ?? '').split(delimiter).filter(Boolean), ...usual];
}

/** @param {string} folder */
function list(folder) {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** @param {string} path */
function isExecutable(path) {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
