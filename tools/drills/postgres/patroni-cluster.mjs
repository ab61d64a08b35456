import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, openSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { repository } from '../../local/directory.mjs';
import { logTail } from '../../local/log-files.mjs';
import { chooseServerUser } from '../../local/server-user.mjs';

/**
 * @typedef {object} ClusterOptions
 * @property {import('../../local/directory.mjs').Directory} directory
 * @property {{ postgres: string, patroni: string, etcd: string, haproxy: string }} programs
 * @property {Record<string, number>} ports `postgres` of the front, `etcd`, `etcd-peer`, and per node `pg1`, `pg1-rest`
 * @property {string} password of the superuser
 */

const nodes = ['pg1', 'pg2'];
const host = '127.0.0.1';
const startedWithinMs = 90_000;

/** Two PostgreSQL nodes under Patroni with synchronous replication, and HAProxy in front of the primary. */
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
    await until('etcd', async () => (await fetch(`${client}/health`)).ok);
    writeFileSync(haproxy, this.#haproxySettings());
    this.#spawn('haproxy', programs.haproxy, ['-f', haproxy, '-db']);
    this.startNode('pg1');
    await until('the first node', async () => (await this.primary()) === 'pg1');
    this.startNode('pg2');
    await this.untilSynchronous();
  }

  /** @param {string} node */
  startNode(node) {
    const file = join(this.folder, `${node}.json`);
    writeFileSync(file, JSON.stringify(this.#nodeSettings(node), null, 2));
    this.#own(join(this.folder, node));
    this.user.own(file);
    this.#spawn(node, this.options.programs.patroni, [file]);
  }

  /** The node that Patroni calls the primary; undefined while there is none. */
  async primary() {
    for (const node of nodes) if (await this.#isRole(node, 'primary')) return node;
    return undefined;
  }

  /** Resolves when every commit waits for the other node. */
  async untilSynchronous() {
    await until('the synchronous standby', async () => {
      const primary = await this.primary();
      if (!primary) return false;
      const members = await (await fetch(`${this.#rest(primary)}/cluster`)).json();
      const standby = members.members.find(({ name }) => name !== primary);
      return standby?.role === 'sync_standby' && ['running', 'streaming'].includes(standby.state);
    });
  }

  /** Kills Patroni and every process of PostgreSQL of a node, as when its machine dies. @param {string} node */
  async killNode(node) {
    const postmaster = Number(
      readFileSync(join(this.folder, node, 'postmaster.pid'), 'utf8').split('\n', 1)[0],
    );
    const child = this.children.get(node);
    for (const pid of [child.pid, postmaster, ...childrenOf(postmaster)]) kill(pid);
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
    this.children.delete(node);
  }

  async stop() {
    // Patroni stops its PostgreSQL, while etcd still answers.
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

  /** A folder of the server's user. @param {string} path */
  #own(path) {
    mkdirSync(path, { recursive: true, mode: 0o700 });
    this.user.own(path);
    return path;
  }

  /** The last lines of every log, for a drill that fails. */
  logs() {
    return ['etcd', 'haproxy', ...nodes].map(
      (name) => `-- ${name}\n${logTail(this.options.directory.file('logs', `${name}.log`))}`,
    );
  }

  #haproxySettings() {
    const { ports } = this.options;
    const servers = nodes.map(
      (node) => `  server ${node} ${host}:${ports[node]} check port ${ports[`${node}-rest`]}`,
    );
    return `global
  maxconn 500
defaults
  mode tcp
  timeout connect 2s
  timeout client 1h
  timeout server 1h
listen postgres
  bind ${host}:${ports.postgres}
  option httpchk GET /primary
  http-check expect status 200
  default-server inter 500ms fall 2 rise 1 on-marked-down shutdown-sessions
${servers.join('\n')}
`;
  }

  /** @param {string} node */
  #nodeSettings(node) {
    const { ports, programs, password } = this.options;
    const address = `${host}:${ports[node]}`;
    const rest = `${host}:${ports[`${node}-rest`]}`;
    const login = { username: 'postgres', password };
    return {
      scope: 'tollbridge',
      name: node,
      restapi: { listen: rest, connect_address: rest },
      etcd3: { hosts: `${host}:${ports.etcd}` },
      bootstrap: {
        dcs: {
          // The shortest that Patroni recommends: a dead primary is replaced after the ttl.
          ttl: 20,
          loop_wait: 2,
          retry_timeout: 3,
          // An acknowledged commit is on both nodes, and only the synchronous standby is promoted.
          synchronous_mode: true,
          postgresql: { use_pg_rewind: true, parameters: serverSettings() },
        },
        initdb: [{ encoding: 'UTF8' }, { locale: 'C' }, 'data-checksums'],
      },
      postgresql: {
        listen: address,
        connect_address: address,
        data_dir: join(this.folder, node),
        bin_dir: dirname(programs.postgres),
        pgpass: join(this.folder, `${node}.pgpass`),
        authentication: {
          superuser: login,
          replication: { username: 'replicator', password },
          rewind: login,
        },
        pg_hba: [
          'host all all 127.0.0.1/32 scram-sha-256',
          'host replication all 127.0.0.1/32 scram-sha-256',
        ],
        parameters: { unix_socket_directories: '' },
      },
    };
  }
}

/** The settings of deploy/postgres, as in production. */
function serverSettings() {
  const text = readFileSync(join(repository, 'deploy/postgres/postgresql.conf'), 'utf8');
  const lines = [...text.matchAll(/^(\w+) = '?([^'\n]*)'?$/gm)];
  return Object.fromEntries(lines.map(([, name, value]) => [name, value]));
}

/** @param {number} parent @returns {number[]} */
function childrenOf(parent) {
  return readdirSync('/proc').flatMap((name) => {
    if (!/^\d+$/.test(name)) return [];
    try {
      // After the name of the program, which may contain anything: state and parent.
      const [, ppid] = readFileSync(`/proc/${name}/stat`, 'utf8').split(') ').at(-1).split(' ');
      return Number(ppid) === parent ? [Number(name)] : [];
    } catch {
      return [];
    }
  });
}

/** @param {number | undefined} pid */
function kill(pid) {
  try {
    if (pid) process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended.
  }
}

/** @param {string} what @param {() => Promise<boolean>} isSo */
async function until(what, isSo) {
  const endMs = performance.now() + startedWithinMs;
  while (!(await isSo().catch(() => false))) {
    if (performance.now() > endMs)
      throw new Error(`${what} was not ready within ${startedWithinMs / 1_000} s`);
    await sleep(200);
  }
}
