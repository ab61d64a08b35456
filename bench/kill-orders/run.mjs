// Kills the merchant app, pay-orders, NATS and PostgreSQL at random moments while orders are created and paid.
import { setTimeout as sleep } from 'node:timers/promises';
import { killPostgres } from '../nanopay/kill/processes.mjs';
import { randomOf } from '../seeded-random.mjs';
import { checkEvents } from './checks.mjs';
import { OrderLoad } from './load.mjs';
import { KillWorld } from './world.mjs';

const victims = ['merchant', 'pay-orders', 'nats', 'postgres'];
const clients = 16;
const longestPauseMs = 1_500;
const backWithinMs = 60_000;

/**
 * @param {{ kills: number, seed: number, print: (line: string) => void, signal: AbortSignal }} options
 * @returns {Promise<object>} the figures of the run; rejects with what was found
 */
export async function runKills({ kills, seed, print, signal }) {
  const random = randomOf(seed);
  const world = await KillWorld.start();
  try {
    const load = await OrderLoad.start(world, clients);
    try {
      for (let kill = 1; kill <= kills; kill++) {
        signal.throwIfAborted();
        await sleep(random() * longestPauseMs);
        const victim = victims[Math.floor(random() * victims.length)];
        const startedMs = performance.now();
        await strike(world, victim);
        const tookS = ((performance.now() - startedMs) / 1_000).toFixed(1);
        print(`${kill}/${kills} ${victim}: back after ${tookS} s, ${load.acknowledged.size} orders`);
      }
      await load.untilPaid();
    } finally {
      await load.stop();
    }
    return { kills, ...(await checkEvents(world, load, print)) };
  } finally {
    await world.stop();
  }
}

/** Resolves when the supervisor has another process in its place, and all apps of the path of orders are ready. */
async function strike(world, victim) {
  const before = world.pids[victim];
  if (victim === 'postgres') await killPostgres(world);
  else process.kill(before, 'SIGKILL');
  const endMs = performance.now() + backWithinMs;
  while (world.pids[victim] === undefined || world.pids[victim] === before || !(await world.isReady())) {
    if (performance.now() > endMs) throw new Error(`${victim} was not back within ${backWithinMs} ms`);
    await sleep(50);
  }
}
