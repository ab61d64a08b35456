// One set of servers with the newest schema, and apps of two releases that use them.
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { appEnvironment, appNames, appProgram, gatewayUrl } from '../../local/apps.mjs';
import { loadProduct, repository } from '../../docs/product.mjs';
import { Directory } from '../../local/directory.mjs';
import { writeIdentities } from '../../local/identities.mjs';
import { LocalSandbox, portNames } from '../../local/local-sandbox.mjs';
import { declarationsOf, renderNatsUsers } from '../../local/nats-users.mjs';
import { ensurePasswords } from '../../local/passwords.mjs';
import { choosePorts } from '../../local/ports.mjs';
import { ensureServers } from '../../local/server-programs.mjs';

/** @typedef {'new' | 'old'} Release @typedef {{ app: string, release: Release }} Replica */

// The provider simulators use fixed addresses, so this app runs only once.
const singleApps = ['sandbox'];

export class MixedSandbox {
  /** @param {string} previous the checkout of the previous release */
  static async start(previous) {
    const sandbox = new MixedSandbox();
    await sandbox.#start(previous);
    return sandbox;
  }

  async #start(previous) {
    const path = mkdtempSync(join(tmpdir(), 'tollbridge-mixed-'));
    this.directory = new Directory(path);
    const old = await import(pathToFileURL(join(previous, 'tools/local/apps.mjs')).href);
    this.releases = { new: { appEnvironment, appProgram }, old };
    const passwords = ensurePasswords(this.directory);
    const names = [
      ...portNames,
      'public',
      ...appNames.map(second),
      second('stream-public'),
      second('public'),
    ];
    const ports = await choosePorts(this.directory, names);
    const programs = await ensureServers(() => undefined);
    const natsConfiguration = permissionsOfBoth(path);
    const servers = { directory: this.directory, programs, passwords, ports, natsConfiguration };
    // Apps of releases before row locks still use advisory locks.
    const roleOptions = ['-v', 'advisory_locks=on'];
    const options = { ...servers, roleOptions, isOneProcess: false };
    this.options = { ...options, gatewayPort: ports.public };
    this.local = new LocalSandbox(this.options, (line) => process.stderr.write(`${line}\n`));
    await this.local.startServers();
    await this.local.prepareDatabase();
    await this.local.startNodes();
    await this.local.migrate();
    await this.local.provisionStreams();
    await this.local.deployContracts();
    writeIdentities(this.directory.file('identities.json'), passwords.identities);
  }

  /** Starts these apps and waits until all are ready. @param {Replica[]} replicas */
  async startApps(replicas) {
    this.replicas = replicas.map((replica, index) => ({
      ...replica,
      isSecond: replicas.findIndex(({ app }) => app === replica.app) !== index,
    }));
    for (const replica of this.replicas) this.local.supervisor.start(this.#plan(replica));
    await this.local.supervisor.untilReady(this.replicas.map(nameOf));
  }

  async stopApps() {
    const names = this.replicas.map(nameOf);
    const isGateway = (/** @type {string} */ name) => name.startsWith('gateway');
    await this.local.supervisor.stop(names.filter(isGateway));
    await this.local.supervisor.stop(names.filter((name) => !isGateway(name)));
  }

  /** The addresses of the running gateways. */
  get gateways() {
    return this.replicas
      .filter(({ app }) => app === 'gateway')
      .map((replica) => gatewayUrl(this.#setupOf(replica)));
  }

  /** @param {{ keepsLogs: boolean }} options */
  async stop({ keepsLogs }) {
    await this.local.stop();
    if (!keepsLogs) rmSync(this.directory.path, { recursive: true, force: true });
  }

  #setupOf({ isSecond }) {
    if (!isSecond) return this.options;
    const { ports } = this.options;
    const own = [...appNames, 'stream-public'].map((name) => [name, ports[second(name)]]);
    return {
      ...this.options,
      ports: { ...ports, ...Object.fromEntries(own) },
      gatewayPort: ports[second('public')],
    };
  }

  #plan(replica) {
    const { app, release } = replica;
    const setup = this.#setupOf(replica);
    const { appEnvironment: environmentOf, appProgram: programOf } = this.releases[release];
    const pages = [`http://127.0.0.1:${setup.ports[app]}/health/ready`];
    if (app === 'gateway') pages.push(`${gatewayUrl(setup)}/health/ready`);
    return {
      name: nameOf(replica),
      command: async () => ({
        program: process.execPath,
        args: ['--max-old-space-size=512', programOf(app, 'main')],
        // The setting for the upgrade, because the old release does not sign events.
        env: {
          ...environmentOf(setup, [app]),
          ...(release === 'new' && { BUS_OLD_RELEASE_UNTIL: inAnHour() }),
        },
      }),
      isReady: async () => (await Promise.all(pages.map(isReadyOrStandby))).every(Boolean),
      stopTimeoutMs: 30_000,
    };
  }
}

/**
 * A standby replies with 503 in 0.1.0 and with 200 in this release. In both cases it is fully started.
 * @param {string} url
 */
async function isReadyOrStandby(url) {
  try {
    const reply = await fetch(url, { signal: AbortSignal.timeout(2_000) });
    const { status } = await reply.json();
    return reply.ok || status === 'standby';
  } catch {
    return false;
  }
}

/** Writes the NATS configuration for a rolling upgrade. @param {string} directory @returns {string} its folder */
function permissionsOfBoth(directory) {
  const folder = join(directory, 'nats-configuration');
  cpSync(join(repository, 'deploy/nats'), folder, { recursive: true });
  const users = renderNatsUsers(declarationsOf(loadProduct().api), { isUpgrading: true });
  writeFileSync(join(folder, 'users.conf'), users);
  return folder;
}

const inAnHour = () => new Date(Date.now() + 3_600_000).toISOString();

const second = (/** @type {string} */ name) => `${name}-second`;
const nameOf = (/** @type {Replica} */ { app, release }) => `${app}-${release}`;

/** @param {(app: string) => Release} releaseOf @returns {Replica[]} */
export const oneOfEach = (releaseOf) => appNames.map((app) => ({ app, release: releaseOf(app) }));

/** Returns an old and a new replica of each app. @returns {Replica[]} */
export const twoOfEach = () =>
  appNames.flatMap((app) => {
    /** @type {Release[]} */
    const releases = singleApps.includes(app) ? ['new'] : ['old', 'new'];
    return releases.map((release) => ({ app, release }));
  });
