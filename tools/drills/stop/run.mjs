// Sends SIGTERM to each app in turn while clients order, read, pay and buy. The supervisor restarts it.
import { setTimeout as sleep } from 'node:timers/promises';
import { KilledDeployment } from '../../bench/kill-orders/deployment.mjs';
import { appNames } from '../../local/apps.mjs';
import { Directory } from '../../local/directory.mjs';
import { secondsSince } from '../run-drill.mjs';
import { Gateways, Replica, untilReady } from './replicas.mjs';
import { StopLoad, summaryOf } from './load.mjs';

// Longer than clients need to stop using a replica that is not ready.
const environment = { STOP_DELAY_MS: '3000', GATEWAY_TRUSTED_PROXIES: '127.0.0.1' };
const settledAfterMs = 2_000;
// The ledger has one writer at a time, so payments wait for its standby.
const takeoverMs = 5_000;
const stoppedWithinMs = 100_000;
/** The simulators run in one process. Without it, no purchase is possible. */
const alone = ['sandbox'];
/**
 * These apps have two replicas and stop during a purchase of one minute. A single replica would block all other
 * requests until then.
 */
const boughtThrough = ['service-api', 'gateway'];

/**
 * @param {import('../run-drill.mjs').DrillOptions} options
 * @returns {Promise<object>} the measurements; rejects if a request failed when an app with two replicas was stopped
 */
export async function run({ print, signal }) {
  const deployment = await KilledDeployment.start(environment);
  const replicas = new Map();
  try {
    const { passwords, ports } = deployment.state;
    const setup = {
      directory: new Directory(deployment.directory),
      passwords,
      ports,
      gatewayPort: ports.public,
    };
    const single = await restartEach(deployment, { print, signal, replicas });
    for (const app of appNames.filter((name) => !alone.includes(name)))
      replicas.set(app, await Replica.start(setup, app, { environment, log: `${app}-2` }));
    print('every app has two replicas');
    const paired = await restartEach(deployment, { print, signal, replicas });
    for (const app of replicas.keys()) requireUnnoticed(app, paired[app]);
    return { oneReplica: single, twoReplicas: paired };
  } finally {
    await Promise.all([...replicas.values()].map((replica) => replica.stop()));
    await deployment.stop();
  }
}

/** @throws if a request failed because one of two replicas was stopped */
function requireUnnoticed(app, { reasons = {}, longestPauseMs }) {
  const isTakeover = (reason) => app === 'tee' && reason === 'payment: 503 SERVICE_UNAVAILABLE';
  const noticed = Object.keys(reasons).filter((reason) => !isTakeover(reason));
  if (noticed.length > 0) throw new Error(`clients noticed the stop of ${app}: ${noticed.join(', ')}`);
  if (longestPauseMs.payment > takeoverMs && app === 'tee')
    throw new Error(`the standby took over after ${longestPauseMs.payment} ms`);
}

async function restartEach(deployment, { print, signal, replicas }) {
  const hasReplicas = replicas.size > 0;
  const { gateway: url, urls } = deployment.state;
  const own = { url, management: urls.management.gateway };
  const gateways = new Gateways([own, ...(replicas.has('gateway') ? [replicas.get('gateway')] : [])]);
  const load = await StopLoad.start(deployment, gateways);
  const found = {};
  try {
    await sleep(settledAfterMs);
    for (const app of appNames) {
      signal.throwIfAborted();
      load.take();
      const slow = hasReplicas && boughtThrough.includes(app) ? load.slowPurchase(url) : undefined;
      if (slow) await sleep(1_000);
      const restart = await restartOne(deployment, app);
      const purchase = await slow;
      await sleep(settledAfterMs);
      const figures = load.take();
      found[app] = {
        ...restart,
        ...summaryOf(figures),
        longestPauseMs: pausesOf(figures),
        ...(purchase && { purchase }),
      };
      print(`${hasReplicas ? 'two replicas' : 'one replica'}, ${app}: ${JSON.stringify(found[app])}`);
      if (purchase?.failure)
        throw new Error(`a purchase of a minute failed when ${app} stopped: ${purchase.failure}`);
    }
  } finally {
    await load.stop();
    gateways.close();
  }
  return found;
}

/** Sends SIGTERM and waits until the supervisor has started another process and it is ready. */
async function restartOne(deployment, app) {
  const before = deployment.pids[app];
  const startedMs = performance.now();
  process.kill(before, 'SIGTERM');
  await deployment.untilReplaced(app, before, stoppedWithinMs);
  const stopS = secondsSince(startedMs);
  await untilReady(deployment.state.urls.management[app]);
  return { stopS, backS: secondsSince(startedMs) };
}

/** @param {Record<string, { longestPauseMs: number }>} figures by kind of request */
const pausesOf = (figures) =>
  Object.fromEntries(
    Object.entries(figures).map(([kind, { longestPauseMs }]) => [kind, Math.round(longestPauseMs)]),
  );
