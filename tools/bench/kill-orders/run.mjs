// Kills the apps of orders, NATS and PostgreSQL at random moments while orders are created and paid on chains of all
// families.
import { setTimeout as sleep } from 'node:timers/promises';
import { until } from '../../local/until.mjs';
import { killPostgres } from '../nanopay/kill/processes.mjs';
import { randomOf } from '../seeded-random.mjs';
import { checkEvents } from './checks.mjs';
import { KilledDeployment } from './deployment.mjs';
import { chosenFamilies, networksOf } from './families.mjs';
import { FamilyLoads } from './family-loads.mjs';

// The sandbox app is the node of every network other than EVM.
const victims = ['merchant', 'pay-orders', 'nats', 'postgres', 'sandbox'];
const longestPauseMs = 1_500;
// A payment of another family takes some seconds, for its process and for a block.
const longestPauseOfOthersMs = 12_000;
const backWithinMs = 60_000;

/**
 * @param {{ kills: number, seed: number, families?: string, print: (line: string) => void, signal: AbortSignal }} options
 * @returns {Promise<object>} the figures of the run; rejects with the first fault
 */
export async function runKills({ kills, seed, families, print, signal }) {
  const random = randomOf(seed);
  const chosen = chosenFamilies(families);
  const mostMs = chosen.some((family) => family !== 'evm') ? longestPauseOfOthersMs : longestPauseMs;
  const deployment = await KilledDeployment.start({ SANDBOX_NETWORKS: networksOf(chosen) });
  try {
    const loads = await FamilyLoads.start(deployment, chosen);
    try {
      for (let kill = 1; kill <= kills; kill++) {
        signal.throwIfAborted();
        await sleep(random() * mostMs);
        const victim = victims[Math.floor(random() * victims.length)];
        const startedMs = performance.now();
        await killAndWait(deployment, victim);
        const tookS = ((performance.now() - startedMs) / 1_000).toFixed(1);
        print(`${kill}/${kills} ${victim}: back after ${tookS} s, ${loads.summary()}`);
      }
      await loads.untilPaid();
    } finally {
      await loads.stop();
    }
    for (const problem of loads.problems()) print(problem);
    const events = await checkEvents(deployment, loads, print);
    return { kills, ...events, families: await loads.figures() };
  } finally {
    await deployment.stop();
  }
}

/** Kills a process. Resolves when the supervisor has replaced it, and all apps of the order path are ready. */
async function killAndWait(deployment, victim) {
  const before = deployment.pids[victim];
  if (victim === 'postgres') await killPostgres(deployment);
  else process.kill(before, 'SIGKILL');
  await deployment.untilReplaced(victim, before, backWithinMs);
  await until(`readiness after the kill of ${victim}`, backWithinMs, () => deployment.isReady());
}
