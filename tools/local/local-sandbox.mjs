import { existsSync } from 'node:fs';
import {
  allInOne,
  appEnvironment,
  appNames,
  appProgram,
  gatewayUrl,
  provisioningEnvironment,
} from './apps.mjs';
import { ChainClock } from './chain-clock.mjs';
import { areDeployed, noteDeployed } from './contracts.mjs';
import { chainIds, evmNodePlan, nodeIds, nodeName, nodeUrl } from './evm-nodes.mjs';
import { isHealthy } from './health.mjs';
import { writeIdentities } from './identities.mjs';
import { boundLogs } from './log-files.mjs';
import { migrate, pendingApps } from './migrations.mjs';
import { natsNames, natsPortNames } from './nats.mjs';
import { tronChainId } from './networks.mjs';
import { Problem } from './problem.mjs';
import { lastLines, runCommand } from './run-command.mjs';
import { prepareDatabase, serverNames, serverUrls, startServers } from './servers.mjs';
import { Supervisor } from './supervisor.mjs';

// The same values as in deploy/Dockerfile. By default V8 lets garbage grow to three times the used memory if the
// machine has gigabytes. Its space for young objects grows to three times 16 MB. More than 4 MB helps only the apps of
// the hot paths. The two apps of every read save a fifth of their time, and merchant saves a seventh. The bench rows
// are "read an order" and "create an order".
const youngMb = /** @type {Record<string, number>} */ ({
  gateway: 16,
  'pay-orders': 8,
  merchant: 8,
  sandbox: 2,
});
const heapLimits = (/** @type {string} */ name) => [
  `--max-semi-space-size=${youngMb[name] ?? 4}`,
  '--max-old-space-size=512',
];

/** The ports of a sandbox in addition to the public one. The port of an app is its management port. */
export const portNames = [
  ...new Set([...serverNames, ...natsPortNames]),
  ...nodeIds.map((chainId) => `evm-${chainId}`),
  ...appNames,
  'simulators',
  'smtp',
  'stream-public',
];

// The apps stop within STOP_TIMEOUT_MS and 8 seconds. An app that takes longer hangs.
const appStopTimeoutMs = 85_000;

/**
 * All processes of one sandbox folder on this machine: servers, EVM nodes and apps.
 * @typedef {import('./apps.mjs').SandboxSetup & { programs: import('./server-programs.mjs').Programs, isOneProcess: boolean }} LocalSandboxOptions
 */
export class LocalSandbox {
  /** @param {LocalSandboxOptions} options @param {(text: string) => void} print */
  constructor(options, print) {
    this.options = options;
    this.isReady = false;
    this.startedAt = new Date().toISOString();
    this.supervisor = new Supervisor(options.directory, {
      print,
      onChange: () => this.writeState(),
      onRestart: (name) => this.restoreStreams(name, print),
    });
    const hasTron = options.networks?.includes('tron') ?? false;
    this.nodeIds = nodeIds.filter((chainId) => chainId !== tronChainId || hasTron);
    this.clocks = this.nodeIds.map((chainId) => {
      const folder = options.directory.privateFolder('evm');
      const url = nodeUrl(options.ports[`evm-${chainId}`]);
      return new ChainClock({ chainId, folder, url, mines: chainId !== tronChainId });
    });
    this.stopBounding = boundLogs(options.directory.file('logs'));
    this.writeState();
  }

  /** Starts the servers. @param {(text: string) => void} [note] reports what the start waits for */
  async startServers(note) {
    startServers(this.supervisor, this.options);
    await this.supervisor.untilReady(serverNames, note);
  }

  prepareDatabase() {
    return prepareDatabase(this.options);
  }

  /** @param {(text: string) => void} [note] */
  async startNodes(note) {
    const { directory, ports } = this.options;
    for (const chainId of this.nodeIds)
      this.supervisor.start(evmNodePlan({ directory, chainId, port: ports[`evm-${chainId}`] }));
    await this.supervisor.untilReady(this.nodeIds.map(nodeName), note);
    for (const clock of this.clocks) clock.start();
  }

  /** Deploys missing contracts. @returns {Promise<boolean>} whether a deployment was needed */
  async deployContracts() {
    const { directory, ports, networks = [] } = this.options;
    const urls = chainIds.map((chainId) => nodeUrl(ports[`evm-${chainId}`]));
    // The nodes of these networks are simulators. The file of chains contains their address.
    const others = { networks, simulators: ports.simulators };
    if (await areDeployed(directory, urls, others)) return false;
    await this.runOnce('sandbox', 'deploy', appEnvironment(this.options, ['sandbox']));
    // The apps use these contracts, so they must be saved before a node can be killed.
    await Promise.all(this.clocks.map((clock) => clock.keep()));
    noteDeployed(directory, others);
    return true;
  }

  /** @returns {Promise<string[]>} the apps with new migrations */
  async migrate() {
    const apps = await pendingApps(this.options);
    await migrate(this.options, apps);
    return apps;
  }

  /** Creates the missing event streams. @returns {Promise<string>} a summary of the changes */
  async provisionStreams() {
    const output = await this.runOnce(
      'pay-orders',
      'provision-streams',
      provisioningEnvironment(this.options),
    );
    return output.includes(': created') ? 'created' : output.includes(': updated') ? 'updated' : 'in place';
  }

  /**
   * Creates the streams again, because the server may have lost its store and apps do not create streams.
   * @param {string} name
   * @param {(text: string) => void} print
   */
  restoreStreams(name, print) {
    if (!this.isReady || !natsNames.includes(name)) return;
    this.provisionStreams().catch((error) => {
      if (this.isReady)
        print(`event streams not provisioned: ${error.message}. Run: npm run streams -- apply`);
    });
  }

  /** @param {(text: string) => void} [note] */
  async startApps(note) {
    const { directory, passwords } = this.options;
    writeIdentities(directory.file('identities.json'), passwords.identities);
    const processes = this.options.isOneProcess
      ? [{ name: allInOne, apps: appNames }]
      : appNames.map((app) => ({ name: app, apps: [app] }));
    // The other apps call its simulators as soon as they start.
    const first = processes.filter(({ name }) => name === 'sandbox');
    for (const some of [first, processes.filter((each) => !first.includes(each))]) {
      for (const { name, apps } of some) this.supervisor.start(this.appPlan(name, apps));
      await this.supervisor.untilReady(
        some.map(({ name }) => name),
        note,
      );
    }
  }

  markReady() {
    this.isReady = true;
    this.writeState();
  }

  /** Stops the apps before their servers and nodes, and the gateway before the other apps. */
  async stop() {
    this.isReady = false;
    const running = [...this.supervisor.children.keys()];
    const isFirst = (/** @type {string} */ name) => name === 'gateway' || name === allInOne;
    const nodes = this.nodeIds.map(nodeName);
    const isApp = (/** @type {string} */ name) => !serverNames.includes(name) && !nodes.includes(name);
    await this.supervisor.stop(running.filter(isFirst));
    await this.supervisor.stop(running.filter((name) => isApp(name) && !isFirst(name)));
    await Promise.all(this.clocks.map((clock) => clock.stop()));
    await this.supervisor.stop(nodes);
    await this.supervisor.stop(serverNames);
    this.stopBounding();
    this.writeState();
  }

  kill() {
    this.supervisor.kill();
  }

  /** Writes addresses and process ids for tests and tools, which wait for `ready`. */
  writeState() {
    const { directory, passwords, ports, isOneProcess } = this.options;
    const management = appNames.map((app) => [app, `http://127.0.0.1:${ports[app]}`]);
    const nodes = chainIds.map((chainId) => [chainId, nodeUrl(ports[`evm-${chainId}`])]);
    directory.writeJson('state.json', {
      ready: this.isReady,
      gateway: gatewayUrl(this.options),
      pid: process.pid,
      startedAt: this.startedAt,
      mode: isOneProcess ? 'one process' : 'processes',
      pids: this.supervisor.pids,
      urls: {
        ...serverUrls(this.options),
        evm: Object.fromEntries(nodes),
        management: Object.fromEntries(management),
      },
      ports: { public: this.options.gatewayPort, ...ports },
      passwords,
    });
  }

  /** @param {string} name @param {string[]} apps @returns {import('./supervisor.mjs').ChildPlan} */
  appPlan(name, apps) {
    const { options } = this;
    const program = appProgram(name, 'main');
    const pages = apps.map((app) => `http://127.0.0.1:${options.ports[app]}/health/ready`);
    if (apps.includes('gateway')) pages.push(`${gatewayUrl(options)}/health/ready`);
    return {
      name,
      async command() {
        if (!existsSync(program)) throw new Problem(`${program} is missing. Build it: npm run build`);
        return {
          program: process.execPath,
          args: [...heapLimits(name), program],
          env: appEnvironment(options, apps),
        };
      },
      isReady: async () => (await Promise.all(pages.map(isHealthy))).every(Boolean),
      stopTimeoutMs: appStopTimeoutMs,
    };
  }

  /** @param {string} app @param {string} name @param {Record<string, string>} env */
  async runOnce(app, name, env) {
    const program = appProgram(app, name);
    if (!existsSync(program)) throw new Problem(`${program} is missing. Build it: npm run build`);
    const { code, output } = await runCommand(process.execPath, [program], { env });
    if (code !== 0)
      throw new Problem(`${app}/${name} failed; its last lines say why:`, { details: lastLines(output, 30) });
    return output;
  }
}
