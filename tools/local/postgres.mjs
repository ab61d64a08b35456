import { copyFileSync, existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { repository } from './directory.mjs';
import { Problem } from './problem.mjs';
import { startMark } from './processes.mjs';
import { lastLines, runCommand } from './run-command.mjs';
import { chooseServerUser } from './server-user.mjs';

/**
 * @typedef {object} PostgresOptions
 * @property {import('./directory.mjs').Directory} directory
 * @property {import('./server-programs.mjs').Programs['postgres']} programs
 * @property {number} port
 * @property {Record<string, string>} passwords by role
 * @property {string[]} [roleOptions] options of psql for roles.sql
 */

const settings = join(repository, 'deploy/postgres/postgresql.conf');
const rolesFile = join(repository, 'deploy/postgres/roles.sql');

/**
 * Only jest and the e2e tests set this to `off`. Writes then do not wait for the disk, so a commit is 20 times faster.
 * Data is lost only if the machine crashes, not if the server is killed.
 */
export const fsyncVariable = 'TOLLBRIDGE_TEST_FSYNC';
const waitsForDisk = () => process.env[fsyncVariable] !== 'off';

/** @param {PostgresOptions} options @returns {import('./supervisor.mjs').ChildPlan} */
export function postgresPlan({ directory, programs, port, passwords }) {
  const folder = directory.privateFolder('postgres');
  const data = join(folder, 'data');
  const user = chooseServerUser(folder);
  return {
    name: 'postgres',
    async command() {
      if (!existsSync(data))
        await createCluster({ folder, data, initdb: programs.initdb, user, password: passwords.postgres });
      writeConfiguration(data, port, user);
      return {
        ...user.command(programs.postgres, ['-D', data]),
        env: { PATH: process.env.PATH, LANG: 'C.UTF-8' },
      };
    },
    // The server writes its state to the last line of its pid file.
    async isReady() {
      const lines = readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n');
      return lines[7]?.trim() === 'ready' && startMark(Number(lines[0])) !== undefined;
    },
    // Ends sessions, flushes to the disk and exits.
    stopSignal: 'SIGINT',
    stopTimeoutMs: 30_000,
    forceSignal: 'SIGQUIT',
  };
}

/** @param {string} role @param {string} password @param {number} port @param {string} database */
export function postgresUrl(role, password, port, database) {
  return `postgres://${role}:${password}@127.0.0.1:${port}/${database}`;
}

// A database that is restored from a backup is read-only until it has replayed its log.
const recoveredWithinMs = 10 * 60_000;

/** Creates the database, schemas and roles of deploy/postgres/roles.sql. @param {PostgresOptions} options */
export async function createRoles({ programs, port, passwords, roleOptions = [] }) {
  const roles = Object.keys(passwords).filter((role) => role !== 'postgres');
  const variables = roles.map((role) => [`POSTGRES_${role.toUpperCase()}_PASSWORD`, passwords[role]]);
  const env = Object.fromEntries(variables);
  const run = () => psql({ programs, port, passwords }, rolesFile, { env, more: roleOptions });
  let { code, output } = await run();
  for (const endMs = Date.now() + recoveredWithinMs; isRecovering(output) && Date.now() < endMs;) {
    await sleep(200);
    ({ code, output } = await run());
  }
  if (code === 0) return;
  const sentence = /password authentication failed/.test(output)
    ? 'The database was made with other passwords. Delete the data and start again: npm start -- --fresh'
    : 'The roles of the database could not be made; psql says:';
  throw new Problem(sentence, { details: lastLines(output) });
}

/** @param {string} output */
const isRecovering = (output) => /in a read-only transaction/.test(output);

/**
 * Runs an SQL file in the database of the apps. Returns the lines of the result, with | between columns.
 * @param {Omit<PostgresOptions, 'directory'>} options
 * @param {string} file
 */
export async function runSql(options, file) {
  const { code, output } = await psql(options, file, { database: 'tollbridge', more: ['-At'] });
  if (code !== 0) throw new Problem(`${file} failed; psql says:`, { details: lastLines(output) });
  return output;
}

/**
 * @param {Omit<PostgresOptions, 'directory'>} options @param {string} file
 * @param {{ database?: string, env?: NodeJS.ProcessEnv, more?: string[] }} [how]
 */
function psql({ programs, port, passwords }, file, { database = 'postgres', env, more = [] } = {}) {
  const secrets = { PGPASSWORD: passwords.postgres, PGCONNECT_TIMEOUT: '10' };
  const target = ['-h', '127.0.0.1', '-p', String(port), '-U', 'postgres', '-d', database];
  const args = ['-X', '-v', 'ON_ERROR_STOP=1', ...more, ...target, '-f', file];
  return runCommand(programs.psql, args, { env: { ...process.env, ...env, ...secrets } });
}

/**
 * Creates the database in another folder first, so that an interrupted creation does not look like a database.
 * @param {{ folder: string, data: string, initdb: string, password: string, user: import('./server-user.mjs').ServerUser }} options
 */
async function createCluster({ folder, data, initdb, password, user }) {
  const draft = join(folder, 'data.new');
  const passwordFile = join(folder, 'password');
  rmSync(draft, { recursive: true, force: true });
  writeFileSync(passwordFile, password, { mode: 0o600 });
  user.own(passwordFile);
  const locale = ['--encoding=UTF8', '--locale=C'];
  const access = ['--username=postgres', '--auth=scram-sha-256', `--pwfile=${passwordFile}`];
  const sync = waitsForDisk() ? [] : ['--no-sync'];
  const { program, args } = user.command(initdb, ['-D', draft, ...locale, ...access, ...sync]);
  const { code, output } = await runCommand(program, args);
  rmSync(passwordFile, { force: true });
  if (code !== 0)
    throw new Problem('The database could not be created; initdb says:', { details: lastLines(output) });
  renameSync(draft, data);
}

/** @param {string} data @param {number} port @param {import('./server-user.mjs').ServerUser} user */
function writeConfiguration(data, port, user) {
  const path = join(data, 'postgresql.conf');
  copyFileSync(settings, path);
  const local = ["listen_addresses = '127.0.0.1'", `port = ${port}`, "unix_socket_directories = ''"];
  if (!waitsForDisk()) local.push('fsync = off', 'full_page_writes = off');
  writeFileSync(path, `\n# This machine\n${local.join('\n')}\n`, { flag: 'a' });
  user.own(path);
  const access = join(data, 'pg_hba.conf');
  writeFileSync(
    access,
    '# Over TCP from this machine, with a password, and in no other way.\nhost all all 127.0.0.1/32 scram-sha-256\n',
  );
  user.own(access);
}
