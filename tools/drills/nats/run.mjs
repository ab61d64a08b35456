// Runs all apps on one NATS server and on a cluster of three. Each server and each app is frozen, and the servers of
// the cluster are killed.
import { createRequire } from 'node:module';
import { setTimeout as sleep } from 'node:timers/promises';
import { checkEvents } from '../../bench/kill-orders/checks.mjs';
import { KilledDeployment } from '../../bench/kill-orders/deployment.mjs';
import { OrderLoad } from '../../bench/kill-orders/load.mjs';
import { eventUser } from '../../local/nats-users.mjs';
import { productionApps as apps } from '../../image/production-apps.mjs';
import { BusState } from './bus-state.mjs';
import { Pauses } from './pauses.mjs';

const usualMs = 5_000;
const backWithinMs = 90_000;
// NATS elects a leader within nine seconds. Clients and the cluster detect a frozen server within another nine.
const longestPauseMs = 30_000;
const publishers = ['PAY_ORDERS', 'TX_ENGINE', 'MERCHANT', 'SERVICE_API', 'TEE'];
const serversOfShape = { single: ['nats'], cluster: ['nats', 'nats-2', 'nats-3'] };

/**
 * @param {import('../run-drill.mjs').DrillOptions} drill
 * @returns {Promise<object>} the measurements of each type of deployment; rejects with the first error
 */
export async function run({ print, signal, options }) {
  const figures = {};
  for (const shape of listOf(options.shapes)) {
    const servers = serversOfShape[shape];
    if (!servers) throw new Error(`--shapes: expected single or cluster, got ${shape}`);
    figures[shape] = await runShape({
      print: (line) => print(`${shape}: ${line}`),
      signal,
      options,
      servers,
    });
  }
  return figures;
}

const listOf = (text) => text.split(',').filter(Boolean);

async function runShape({ print, signal, options, servers }) {
  const isCluster = servers.length > 1;
  const replicas = publishers.map((app) => [`${app}_STREAM_REPLICAS`, String(servers.length)]);
  const deployment = await KilledDeployment.start({
    SANDBOX_NATS_SERVERS: String(servers.length),
    ...(isCluster && Object.fromEntries(replicas)),
  });
  // Not a static import, because this file can be loaded before the first build.
  const { connectNats } = createRequire(import.meta.url)('@tollbridge/rpc');
  const nats = await connectNats({
    servers: urlsOf(deployment).map(({ host }) => host),
    ...credentialsOf(deployment),
    maxReconnectAttempts: -1,
    pingInterval: 3_000,
  });
  try {
    const untilWhole = () => (isCluster ? untilReplicated(nats) : Promise.resolve());
    await untilWhole();
    const load = await OrderLoad.start(deployment, Number(options.clients));
    const pauses = new Pauses({
      orders: () => load.acknowledged.size,
      events: async () =>
        (await deployment.query('SELECT count(*)::int AS count FROM merchant.inbox'))[0].count,
    });
    try {
      const bus = new BusState(deployment, load.sandbox);
      const steps = await takeEachAway({
        deployment,
        bus,
        load,
        pauses,
        print,
        signal,
        options,
        servers,
        untilWhole,
      });
      await load.untilPaid();
      return { steps, ...(await checkEvents(deployment, load, print)) };
    } finally {
      await pauses.stop();
      await load.stop();
    }
  } finally {
    await nats.close();
    await deployment.stop();
  }
}

async function takeEachAway({ deployment, bus, load, pauses, print, signal, options, servers, untilWhole }) {
  const steps = {};
  const measure = async (name, allowedMs, work) => {
    pauses.take();
    const before = { orders: load.acknowledged.size, failures: load.failures };
    await work();
    const recoveredMs = await bus.untilCallsWork();
    await untilWhole();
    await sleep(usualMs, undefined, { signal });
    await bus.check();
    const longest = pauses.take();
    steps[name] = {
      recoveredMs,
      orders: load.acknowledged.size - before.orders,
      failures: load.failures - before.failures,
      longestPauseMs: longest,
    };
    print(`${name}: ${JSON.stringify(steps[name])}`);
    for (const [what, ms] of Object.entries(longest))
      if (ms > allowedMs) throw new Error(`${name}: no progress of ${what} for ${ms} ms`);
  };
  await measure('usual', longestPauseMs, () => sleep(usualMs, undefined, { signal }));
  const isCluster = servers.length > 1;
  const targets = targetsOf(options.targets, servers);
  for (const target of targets) {
    const isServer = servers.includes(target);
    if (isServer && isCluster)
      await measure(`${target} killed`, longestPauseMs, () => kill(deployment, target));
    for (const seconds of listOf(options.seconds).map(Number)) {
      // In a cluster, another server replaces a frozen one. A process without a replica is unavailable until it
      // continues.
      const allowedMs = longestPauseMs + (isServer && isCluster ? 0 : seconds * 1_000);
      await measure(`${target} frozen for ${seconds} s`, allowedMs, () =>
        deployment.freeze(target, seconds * 1_000, signal),
      );
    }
  }
  return steps;
}

function targetsOf(text, servers) {
  const groups = { servers, apps };
  const targets = listOf(text).flatMap((name) => groups[name] ?? [name]);
  const known = [...servers, ...apps];
  // The other servers of the cluster do not exist in a deployment with one server.
  return targets.filter((name) => {
    if (!known.includes(name) && !serversOfShape.cluster.includes(name))
      throw new Error(`--targets: expected servers, apps or ${known.join(', ')}; got ${name}`);
    return known.includes(name);
  });
}

/** Kills a server. The supervisor restarts it. */
async function kill(deployment, server) {
  const before = deployment.pids[server];
  process.kill(before, 'SIGKILL');
  await deployment.untilReplaced(server, before, backWithinMs);
}

const urlsOf = ({ state }) => state.urls.nats.split(',').map((url) => new URL(url));
function credentialsOf(deployment) {
  const [{ username, password }] = urlsOf(deployment);
  return { user: eventUser(username), pass: password };
}

/** Waits until each stream has a leader and two up-to-date replicas. */
async function untilReplicated(nats) {
  let missing = 'nothing was read';
  for (const endMs = Date.now() + backWithinMs; Date.now() < endMs; await sleep(250)) {
    try {
      const manager = await nats.jetstreamManager({ checkAPI: false });
      const infos = await Promise.all(publishers.map((stream) => manager.streams.info(stream)));
      const late = infos.filter(({ cluster: { leader, replicas = [] } }) => {
        const current = replicas.filter((replica) => replica.current && !replica.offline);
        return !leader || current.length < 2;
      });
      if (late.length === 0) return;
      missing = late.map(({ config }) => config.name).join(', ');
    } catch (error) {
      missing = error.message;
    }
  }
  throw new Error(`not all streams are on three servers: ${missing}`);
}
