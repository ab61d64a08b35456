// Kills the merchant app, pay-orders, NATS and PostgreSQL at random moments while orders are created and paid.
import { setTimeout as sleep } from 'node:timers/promises';
import { until } from '../../tools/local/until.mjs';
import { killPostgres } from '../nanopay/kill/processes.mjs';
import { randomOf } from '../seeded-random.mjs';
import { checkEvents } from './checks.mjs';
import { OrderLoad } from './load.mjs';
import { KilledDeployment } from './deployment.mjs';

const victims = ['merchant', 'pay-orders', 'nats', 'postgres'];
const clients = 16;
const longestPauseMs = 1_500;
const backWithinMs = 60_000;

/**
 * @param {{ kills: number, seed: number, print: (line: string) => void, signal: AbortSignal }} options
 * @returns {Promise<object>} the figures of the run; rejects with the first fault
 */
export async function runKills({ kills, seed, print, signal }) {
  const random = randomOf(seed);
  const deployment = await KilledDeployment.start();
  try {
    const load = await OrderLoad.start(deployment, clients);
    try {
      for (let kill = 1; kill <= kills; kill++) {
        signal.throwIfAborted();
        await sleep(random() * longestPauseMs);
        const victim = victims[Math.floor(random() * victims.length)];
        const startedMs = performance.now();
        await killAndWait(deployment, victim);
        const tookS = ((performance.now() - startedMs) / 1_000).toFixed(1);
        print(`${kill}/${kills} ${victim}: back after ${tookS} s, ${load.acknowledged.size} orders`);
      }
      await load.untilPaid();
    } finally {
      await load.stop();
    }
    return { kills, ...(await checkEvents(deployment, load, print)) };
  } finally {
    await deployment.stop();
  }
}

/** Resolves when the supervisor has replaced the process, and all apps on the path of orders are ready. */
async function killAndWait(deployment, victim) {
  const before = deployment.pids[victim];
  if (victim === 'postgres') await killPostgres(deployment);
  else process.kill(before, 'SIGKILL');
  await deployment.untilReplaced(victim, before, backWithinMs);
  await until(`readiness after the kill of ${victim}`, backWithinMs, () => deployment.isReady());
}
