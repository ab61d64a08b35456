import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { tryLock, unlock } from './directory-lock.mjs';
import { Directory, repository } from './directory.mjs';
import { stopOrphans } from './orphans.mjs';
import { ensurePasswords } from './passwords.mjs';
import { choosePorts } from './ports.mjs';
import { Problem } from './problem.mjs';
import { ensureServers } from './server-programs.mjs';
import { prepareDatabase, serverNames, serverUrls, startServers } from './servers.mjs';
import { Supervisor } from './supervisor.mjs';

// Several test runs of one checkout can run at the same time: from an editor, a person and a pipeline.
const mostRuns = 16;
const dataNames = ['postgres', 'nats', 'redis', 'passwords.json'];

/**
 * Starts empty servers for one test run, with the roles and users of production.
 * @returns {Promise<{ variables: Record<string, string>, supervisor: Supervisor, stop: () => Promise<void> }>}
 */
export async function startTestServers() {
  const directory = takeDirectory();
  await stopOrphans(directory, serverNames);
  for (const name of dataNames) rmSync(directory.file(name), { recursive: true, force: true });

  const programs = await ensureServers(() => undefined);
  const passwords = ensurePasswords(directory);
  const ports = await choosePorts(directory, serverNames);
  const options = { directory, programs, passwords, ports };
  const supervisor = new Supervisor(directory, { print: (text) => process.stderr.write(`${text}\n`) });
  const stop = async () => {
    await supervisor.stop(serverNames);
    unlock(directory);
  };
  try {
    startServers(supervisor, options);
    await supervisor.untilReady(serverNames);
    await prepareDatabase(options);
  } catch (error) {
    await stop();
    throw error;
  }
  return { variables: variablesOf(options), supervisor, stop };
}

function takeDirectory() {
  for (let number = 1; number <= mostRuns; number++) {
    const name = number === 1 ? 'test-servers' : `test-servers-${number}`;
    const directory = new Directory(join(repository, '.tollbridge', name));
    if (tryLock(directory).holder === undefined) return directory;
  }
  throw new Problem(`${mostRuns} test runs are using this checkout already. Stop some of them.`);
}

/** @param {import('./servers.mjs').ServerOptions} options */
function variablesOf(options) {
  const { directory, passwords, ports } = options;
  const urls = serverUrls(options);
  return {
    TEST_POSTGRES_ADMIN_URL: urls.postgres,
    TEST_POSTGRES_PORT: String(ports.postgres),
    TEST_POSTGRES_PASSWORDS: JSON.stringify(passwords.postgres),
    TEST_NATS_URL: urls.nats,
    TEST_NATS_PORT: String(ports.nats),
    TEST_NATS_PASSWORDS: JSON.stringify(passwords.nats),
    TEST_REDIS_URL: urls.redis,
    TEST_SERVERS_DIRECTORY: directory.path,
  };
}
