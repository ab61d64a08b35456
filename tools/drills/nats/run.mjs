// All apps on a cluster of three NATS servers. Each server is killed, then the leader of the order stream is frozen.
import { setTimeout as sleep } from 'node:timers/promises';
import { connect } from 'nats';
import { checkEvents } from '../../../bench/kill-orders/checks.mjs';
import { KilledDeployment } from '../../../bench/kill-orders/deployment.mjs';
import { OrderLoad } from '../../../bench/kill-orders/load.mjs';
import { Pauses } from './pauses.mjs';

const clients = 8;
const usualMs = 5_000;
const frozenMs = 20_000;
const backWithinMs = 90_000;
// NATS elects a leader within nine seconds; a frozen server is noticed within nine, by clients and by the cluster.
const longestPauseMs = 30_000;
const servers = ['nats', 'nats-2', 'nats-3'];
const publishers = ['PAY_ORDERS', 'TX_ENGINE', 'MERCHANT', 'SERVICE_API', 'TEE'];

/**
 * @param {import('../run-drill.mjs').DrillOptions} options
 * @returns {Promise<object>} the figures; rejects with the first fault
 */
export async function run({ print, signal }) {
  const replicas = publishers.map((app) => [`${app}_STREAM_REPLICAS`, '3']);
  const deployment = await KilledDeployment.start({
    SANDBOX_NATS_SERVERS: '3',
    ...Object.fromEntries(replicas),
  });
  const nats = await connect({
    servers: serversOf(deployment),
    ...credentialsOf(deployment),
    maxReconnectAttempts: -1,
  });
  try {
    await untilReplicated(nats);
    print('all streams and consumers are on three servers');
    const load = await OrderLoad.start(deployment, clients);
    const pauses = new Pauses({
      orders: () => load.acknowledged.size,
      events: async () =>
        (await deployment.query('SELECT count(*)::int AS count FROM merchant.inbox'))[0].count,
    });
    try {
      const steps = await takeEachAway({ deployment, nats, load, pauses, print, signal });
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

async function takeEachAway({ deployment, nats, load, pauses, print, signal }) {
  const steps = {};
  const measure = async (name, work) => {
    pauses.take();
    const before = { orders: load.acknowledged.size, failures: load.failures };
    await work();
    await untilReplicated(nats);
    await sleep(usualMs, undefined, { signal });
    const longest = pauses.take();
    steps[name] = {
      orders: load.acknowledged.size - before.orders,
      failures: load.failures - before.failures,
      longestPauseMs: longest,
    };
    print(`${name}: ${JSON.stringify(steps[name])}`);
    for (const [what, ms] of Object.entries(longest))
      if (ms > longestPauseMs) throw new Error(`${name}: no progress of ${what} for ${ms} ms`);
  };
  await measure('usual', () => sleep(usualMs, undefined, { signal }));
  for (const server of servers) await measure(`${server} killed`, () => kill(deployment, server));
  const leader = await leaderOf(nats, 'PAY_ORDERS');
  await measure(`leader ${leader} frozen`, () => deployment.freeze(leader, frozenMs, signal));
  return steps;
}

/** The supervisor restarts it. */
async function kill(deployment, server) {
  const before = deployment.pids[server];
  process.kill(before, 'SIGKILL');
  await deployment.untilReplaced(server, before, backWithinMs);
}

const urlsOf = ({ state }) => state.urls.nats.split(',').map((url) => new URL(url));
const serversOf = (deployment) => urlsOf(deployment).map(({ host }) => host);
function credentialsOf(deployment) {
  const [{ username, password }] = urlsOf(deployment);
  return { user: username, pass: password };
}

const leaderOf = async (nats, stream) => {
  const manager = await nats.jetstreamManager({ checkAPI: false });
  return (await manager.streams.info(stream)).cluster.leader;
};

/** Resolves when each stream has a leader and two replicas that are current. */
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
