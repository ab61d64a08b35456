import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { gatewayUrl } from './apps.mjs';
import { buildAll, buildDigest } from './build-all.mjs';
import { Directory, repository } from './directory.mjs';
import { lock, unlock } from './directory-lock.mjs';
import { checkDiskSpace } from './disk-space.mjs';
import { welcome } from './welcome.mjs';
import { stopOrphans } from './orphans.mjs';
import { ensurePackages, paymentGroups } from './packages.mjs';
import { ensurePasswords } from './passwords.mjs';
import { describeError } from './problem.mjs';
import { chooseGatewayPort, choosePorts } from './ports.mjs';
import { ensureServers } from './server-programs.mjs';
import { serverNames } from './servers.mjs';
import { seconds } from './steps.mjs';
import { LocalSandbox, portNames } from './local-sandbox.mjs';

const paymentFile = 'demo-payment.json';

/** Performs the work of `npm start`: starts one sandbox and stops it. */
export class StartCommand {
  /** @param {import('./start-options.mjs').StartOptions} options @param {import('./steps.mjs').Steps} steps */
  constructor(options, steps) {
    this.options = options;
    this.steps = steps;
    this.startedMs = performance.now();
    checkDiskSpace(repository);
    this.directory = new Directory(options.directory);
    checkDiskSpace(this.directory.path);
    /** @type {LocalSandbox | undefined} */
    this.sandbox = undefined;
  }

  async run() {
    const { steps, options, directory } = this;
    lock(directory);
    // The state of a killed start must not look ready to programs that wait for this start.
    rmSync(directory.file('state.json'), { force: true });
    await this.stopOrphans();
    if (options.isFresh) await steps.run('old data deleted', () => directory.deleteData());
    // Checked first, so that a used port fails before the installation.
    const gatewayPort = await chooseGatewayPort(directory, process.env.PORT || undefined);
    const code = this.prepareCode();
    const programs = await steps.run('servers', ensureServers);

    const passwords = ensurePasswords(directory);
    const ports = await choosePorts(directory, portNames);
    const { isOneProcess, networks } = options;
    const sandbox = new LocalSandbox(
      { directory, programs, passwords, ports, gatewayPort, isOneProcess, networks },
      (text) => steps.print(text),
    );
    this.sandbox = sandbox;
    await this.bringUp(sandbox, code);
    if (options.pays) await this.pay(gatewayUrl(sandbox.options));
    steps.print(welcome(gatewayUrl(sandbox.options), directory, seconds(performance.now() - this.startedMs)));
    await this.installRest();
    sandbox.markReady();
  }

  /**
   * Installs and builds everything that the payment needs. Without installed packages, the build begins with the few
   * packages that it needs, while npm installs the others.
   * @returns {{ first: Promise<void>, all: Promise<unknown> }}
   */
  prepareCode() {
    const { steps } = this;
    const groups = paymentGroups(process.env, this.options.networks);
    const packages = (/** @type {string} */ title, /** @type {string[]} */ names) =>
      steps.run(title, (note) => ensurePackages(note, names));
    const isBare = !existsSync(join(repository, 'node_modules'));
    const first = isBare ? packages('packages to build with', ['first']) : packages('packages', groups);
    const all = first.then(() =>
      Promise.all([steps.run('build', buildAll), ...(isBare ? [packages('packages', groups)] : [])]),
    );
    for (const work of [first, all]) work.catch(() => undefined);
    return { first, all };
  }

  /** @param {LocalSandbox} sandbox @param {{ first: Promise<void>, all: Promise<unknown> }} code */
  async bringUp(sandbox, code) {
    const { steps } = this;
    const nodes = code.first.then(() => steps.run('EVM nodes are up', (note) => sandbox.startNodes(note)));
    nodes.catch(() => undefined);
    await steps.run('Postgres, NATS and Redis are up', (note) => sandbox.startServers(note));
    await steps.run('database roles and schemas', () => sandbox.prepareDatabase());
    await Promise.all([nodes, code.all]);
    // They are independent, and parallel execution shortens the start.
    const migrating = sandbox.migrate();
    const provisioning = sandbox.provisionStreams();
    for (const work of [migrating, provisioning]) work.catch(() => undefined);
    await steps.run('contracts', async (note) => {
      note('deploying them on both nodes');
      note((await sandbox.deployContracts()) ? 'deployed' : 'in place');
    });
    await steps.run('migrations', async (note) => note((await migrating).join(', ') || 'none pending'));
    await steps.run('event streams', async (note) => note(await provisioning));
    await steps.run('apps are ready', (note) => sandbox.startApps(note));
  }

  /** Installs packages that only some requests need. A failure stops nothing, because the next start tries again. */
  async installRest() {
    const { steps } = this;
    await steps
      .run('packages of x402, MCP and PDF documents', (note) => ensurePackages(note, ['services']))
      .catch((error) => steps.print(`\n  ${describeError(error)}\n`));
  }

  /** Pays once for each build, because a later start of the same build shows nothing new. @param {string} gateway */
  async pay(gateway) {
    const { steps, directory } = this;
    await steps.run('a payment from creation to settlement', async (note) => {
      const build = buildDigest();
      if (directory.readJson(paymentFile)?.build === build) return note('made by an earlier start');
      // Imported here and not at the top of the file, because its packages may just have been installed.
      const { makePayment } = await import('./first-payment.mjs');
      await makePayment(gateway, (line) => steps.print(line));
      directory.writeJson(paymentFile, { build });
    });
  }

  async stopOrphans() {
    const { steps, directory } = this;
    if (directory.orphans().length === 0) return;
    await steps.run('left over from a killed start', async (note) => {
      note(`${await stopOrphans(directory, serverNames)} processes stopped`);
    });
  }

  async stop() {
    await this.sandbox?.stop();
    unlock(this.directory);
  }

  kill() {
    this.sandbox?.kill();
    unlock(this.directory);
  }
}
