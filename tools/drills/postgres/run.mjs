import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { checkEvents } from '../../bench/kill-orders/checks.mjs';
import { runTool } from '../../bench/kill-orders/deployment.mjs';
import { OrderLoad } from '../../bench/kill-orders/load.mjs';
import { gatewayUrl } from '../../local/apps.mjs';
import { Directory } from '../../local/directory.mjs';
import { ensurePasswords } from '../../local/passwords.mjs';
import { chooseGatewayPort, choosePorts } from '../../local/ports.mjs';
import { postgresUrl } from '../../local/postgres.mjs';
import { ensurePrograms, ensureServers } from '../../local/server-programs.mjs';
import { until } from '../../local/until.mjs';
import { DrilledSandbox, drillPorts } from './drilled-sandbox.mjs';
import { PatroniCluster } from './patroni-cluster.mjs';

// Each node is killed once.
const failovers = 2;
const clients = 8;
const loadBeforeMs = 8_000;
const backWithinMs = 120_000;

/**
 * Kills the primary while orders are created and paid, and verifies that no acknowledged data is lost.
 * @param {import('../run-drill.mjs').DrillOptions} options
 * @returns {Promise<object>} the measurements; rejects with the first error
 */
export async function run({ print, signal }) {
  const deployment = await Deployment.start(print);
  try {
    const load = await OrderLoad.start(deployment, clients);
    const figures = [];
    try {
      for (let number = 1; number <= failovers; number++) {
        await sleep(loadBeforeMs, undefined, { signal });
        const figure = await failOver(deployment, load);
        figures.push(figure);
        print(`failover ${number} of ${failovers}: ${JSON.stringify(figure)}`);
      }
      await sleep(loadBeforeMs, undefined, { signal });
      await load.untilPaid();
    } finally {
      await load.stop();
    }
    return { failovers: figures, ...(await checkEvents(deployment, load, print)) };
  } catch (error) {
    for (const line of deployment.cluster.logs()) print(line);
    throw error;
  } finally {
    await deployment.stop();
  }
}

/** Kills the primary and brings its node back as a standby. @returns the duration of each step in milliseconds */
async function failOver({ cluster, sandbox, query }, load) {
  await cluster.untilSynchronous();
  const before = await cluster.primary();
  const known = load.acknowledged.size;
  const startMs = performance.now();
  await cluster.killNode(before);
  const orderAt = load.acknowledged.size;
  const since = async (what, isSo) => {
    await until(`${what} after the kill`, backWithinMs, () => isSo().catch(() => false));
    return Math.round(performance.now() - startMs);
  };
  const [electedMs, firstOrderMs, leasesMs] = await Promise.all([
    since('primary', async () => ![undefined, before].includes(await cluster.primary())),
    since('order', async () => load.acknowledged.size > orderAt + clients),
    since('lease', async () => (await sleep(1_000), await areLeasesHeld(query))),
  ]);
  const readyMs = await since('readiness', () => sandbox.areAppsReady());
  cluster.startNode(before);
  await cluster.untilSynchronous();
  const synchronousMs = Math.round(performance.now() - startMs);
  return { killed: before, ordersBefore: known, electedMs, firstOrderMs, leasesMs, readyMs, synchronousMs };
}

/** Returns true if every lease of orders and merchants was renewed on the new primary. */
async function areLeasesHeld(query) {
  const [row] = await query(`SELECT bool_and(expires_at > clock_timestamp()) AS held FROM (
    SELECT expires_at, name FROM pay_orders.leases UNION ALL SELECT expires_at, name FROM merchant.leases) leases
    WHERE name NOT LIKE 'member %' AND name <> 'rebuild dashboard'`);
  return row.held === true;
}

/** The parts of a deployment that the load and the checks of `kill:orders` need. */
class Deployment {
  /** @param {(line: string) => void} print */
  static async start(print) {
    const deployment = new Deployment();
    deployment.directory = new Directory(mkdtempSync(join(tmpdir(), 'tollbridge-drill-')));
    const { directory } = deployment;
    const programs = await ensureServers(() => undefined);
    const [patroni, etcd, haproxy] = await ensurePrograms(['patroni', 'etcd', 'haproxy'], print);
    const passwords = ensurePasswords(directory);
    const ports = await choosePorts(directory, drillPorts);
    const gatewayPort = await chooseGatewayPort(directory, '0');
    deployment.cluster = new PatroniCluster({
      directory,
      programs: { postgres: programs.postgres.postgres, patroni, etcd, haproxy },
      ports,
      password: passwords.postgres.postgres,
    });
    const options = { directory, programs, passwords, ports, gatewayPort, isOneProcess: false };
    deployment.gateway = gatewayUrl(options);
    deployment.sandbox = new DrilledSandbox(options, deployment.cluster);
    const connectionString = postgresUrl(
      'postgres',
      passwords.postgres.postgres,
      ports.postgres,
      'tollbridge',
    );
    deployment.database = new pg.Pool({ connectionString, max: 4, connectionTimeoutMillis: 2_000 });
    deployment.database.on('error', () => undefined);
    try {
      print('starting two PostgreSQL nodes, HAProxy and the apps');
      await deployment.sandbox.bringUp();
    } catch (error) {
      for (const line of deployment.cluster.logs()) print(line);
      await deployment.stop();
      throw error;
    }
    return deployment;
  }

  query = async (text, values = []) =>
    (await this.database.query({ text, values, query_timeout: 30_000 })).rows;

  run = (...args) => runTool(this.directory.path, args);

  async stop() {
    await this.database?.end();
    await this.sandbox?.stop();
    rmSync(this.directory.path, { recursive: true, force: true });
  }
}
