import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { killWithChildren } from '../../bench/nanopay/kill/processes.mjs';
import { logTail } from '../../local/log-files.mjs';
import { chooseServerUser } from '../../local/server-user.mjs';
import { until } from '../../local/until.mjs';
import { haproxySettings, host, nodes, nodeSettings } from './patroni-settings.mjs';

/**
 * @typedef {object} ClusterOptions
 * @property {import('../../local/directory.mjs').Directory} directory
 * @property {{ postgres: string, patroni: string, etcd: string, haproxy: string }} programs
 * @property {Record<string, number>} ports `postgres` of HAProxy, `etcd`, `etcd-peer`, and per node `pg1`, `pg1-rest`
 * @property {string} password of the superuser
 */

const startedWithinMs = 90_000;

/** Two PostgreSQL nodes that Patroni manages, with synchronous replication. HAProxy forwards to the primary. */
export class PatroniCluster {
  /** @param {ClusterOptions} options */
  constructor(options) {
    this.options = options;
    this.folder = options.directory.privateFolder('patroni');
    this.user = chooseServerUser(this.folder);
    /** @type {Map<string, import('node:child_process').ChildProcess>} */
    this.children = new Map();
  }

  async start() {
    const { programs, ports } = this.options;
    const client = `http://${host}:${ports.etcd}`;
    const peer = `http://${host}:${ports['etcd-peer']}`;
    const [data, haproxy] = [join(this.folder, 'etcd'), join(this.folder, 'haproxy.cfg')];
    this.#spawn('etcd', programs.etcd, [
      ...['--name', 'etcd', '--data-dir', this.#own(data)],
      ...['--listen-client-urls', client, '--advertise-client-urls', client],
      ...[
        '--listen-peer-urls',
        peer,
        '--initial-advertise-peer-urls',
        peer,
        '--initial-cluster',
        `etcd=${peer}`,
      ],
    ]);
    await untilSo('etcd', async () => (await fetch(`${client}/health`)).ok);
    writeFileSync(haproxy, haproxySettings(this.options.ports));
    this.#spawn('haproxy', programs.haproxy, ['-f', haproxy, '-db']);
    this.startNode('pg1');
    await untilSo('first node', async () => (await this.primary()) === 'pg1');
    this.startNode('pg2');
    await this.untilSynchronous();
  }

  /** @param {string} node */
  startNode(node) {
    const file = join(this.folder, `${node}.json`);
    writeFileSync(file, JSON.stringify(nodeSettings(node, this.folder, this.options), null, 2));
    this.#own(join(this.folder, node));
    this.user.own(file);
    this.#spawn(node, this.options.programs.patroni, [file]);
  }

  /** The node that Patroni reports as the primary; undefined if there is none. */
  async primary() {
    for (const node of nodes) if (await this.#isRole(node, 'primary')) return node;
    return undefined;
  }

  /** Waits until every commit is replicated synchronously to the other node. */
  async untilSynchronous() {
    await untilSo('synchronous standby', async () => {
      const primary = await this.primary();
      if (!primary) return false;
      const members = await (await fetch(`${this.#rest(primary)}/cluster`)).json();
      const standby = members.members.find(({ name }) => name !== primary);
      return standby?.role === 'sync_standby' && ['running', 'streaming'].includes(standby.state);
    });
  }

  /** Kills Patroni and every PostgreSQL process of a node, as if its machine failed. @param {string} node */
  async killNode(node) {
    const postmaster = Number(
      readFileSync(join(this.folder, node, 'postmaster.pid'), 'utf8').split('\n', 1)[0],
    );
    const child = this.children.get(node);
    child.kill('SIGKILL');
    killWithChildren(postmaster);
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
    this.children.delete(node);
  }

  async stop() {
    // Stops the nodes first, because Patroni needs etcd to stop its PostgreSQL.
    for (const names of [nodes, ['haproxy', 'etcd']])
      await Promise.all(
        names.map(async (name) => {
          const child = this.children.get(name);
          if (!child || child.exitCode !== null || child.signalCode !== null) return;
          const ended = once(child, 'exit');
          child.kill('SIGTERM');
          const force = setTimeout(() => child.kill('SIGKILL'), 30_000);
          await ended;
          clearTimeout(force);
        }),
      );
  }

  /** @param {string} node @param {string} role a path of Patroni's REST API */
  async #isRole(node, role) {
    return fetch(`${this.#rest(node)}/${role}`, { signal: AbortSignal.timeout(2_000) }).then(
      ({ ok }) => ok,
      () => false,
    );
  }

  /** @param {string} node */
  #rest(node) {
    return `http://${host}:${this.options.ports[`${node}-rest`]}`;
  }

  /** @param {string} name @param {string} program @param {string[]} args */
  #spawn(name, program, args) {
    const log = openSync(this.options.directory.file('logs', `${name}.log`), 'a');
    const command = this.user.command(program, args);
    const env = { PATH: process.env.PATH, LANG: 'C.UTF-8', HOME: this.folder };
    const child = spawn(command.program, command.args, {
      stdio: ['ignore', log, log],
      env,
      cwd: this.folder,
    });
    this.children.set(name, child);
    child.once('error', (error) => console.error(error));
  }

  /** Creates a folder that belongs to the user of the server. @param {string} path */
  #own(path) {
    mkdirSync(path, { recursive: true, mode: 0o700 });
    this.user.own(path);
    return path;
  }

  /** Returns the last lines of every log, to print if a drill fails. */
  logs() {
    return ['etcd', 'haproxy', ...nodes].map(
      (name) => `-- ${name}\n${logTail(this.options.directory.file('logs', `${name}.log`))}`,
    );
  }
}

/** @param {string} what @param {() => Promise<boolean>} isSo counts as false if it rejects */
const untilSo = (what, isSo) =>
  until(what, startedWithinMs, () => isSo().catch(() => false), { everyMs: 200 });
