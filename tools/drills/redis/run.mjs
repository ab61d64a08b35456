// Redis contains only rate limits and caches. Without it, orders continue, and anonymous clients get 503 on routes with
// a limit.
import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { checkEvents } from '../../bench/kill-orders/checks.mjs';
import { KilledDeployment } from '../../bench/kill-orders/deployment.mjs';
import { OrderLoad } from '../../bench/kill-orders/load.mjs';
import { Readers } from './readers.mjs';

const clients = 8;
const usualMs = 5_000;
const outageMs = 10_000;
const backWithinMs = 30_000;

/**
 * @param {import('../run-drill.mjs').DrillOptions} options
 * @returns {Promise<object>} the measurements; rejects with the first error
 */
export async function run({ print, signal }) {
  const deployment = await KilledDeployment.start();
  try {
    const load = await OrderLoad.start(deployment, clients);
    const readers = new Readers(deployment.gateway, load);
    try {
      const figures = await takeAway(deployment, { load, readers, print, signal });
      await load.untilPaid();
      return { ...figures, ...(await checkEvents(deployment, load, print)) };
    } finally {
      await readers.stop();
      await load.stop();
    }
  } finally {
    await deployment.stop();
  }
}

async function takeAway(deployment, { load, readers, print, signal }) {
  const measure = async (what, lasts) => {
    const before = { orders: load.acknowledged.size, failures: load.failures, ...readers.counts };
    await lasts();
    const now = { orders: load.acknowledged.size, failures: load.failures, ...readers.counts };
    const found = Object.fromEntries(
      Object.entries(now).map(([name, count]) => [name, count - before[name]]),
    );
    print(`${what}: ${JSON.stringify(found)}`);
    if (found.failures > 0) throw new Error(`${found.failures} orders failed while ${what}`);
    if (found.readsFailed > 0) throw new Error(`${found.readsFailed} reads failed while ${what}`);
    if (found.otherAnswers > 0)
      throw new Error(
        `${found.otherAnswers} calls were answered otherwise, the last with ${readers.lastAnswer}`,
      );
    return found;
  };
  const usual = await measure('Redis answers', () => sleep(usualMs, undefined, { signal }));
  const silent = await measure('Redis is silent', () => deployment.freeze('redis', outageMs, signal));
  const lost = await measure('Redis is lost with its data', async () => {
    await loseRedis(deployment);
    await sleep(usualMs, undefined, { signal });
  });
  const backMs = await readers.untilAdmitted(backWithinMs);
  print(`rate limits work again ${backMs} ms later`);
  return { usual, silent, lost, backMs };
}

/** Kills Redis and deletes its data. The supervisor starts an empty one. */
async function loseRedis(deployment) {
  const before = deployment.pids.redis;
  process.kill(before, 'SIGKILL');
  const folder = join(deployment.directory, 'redis');
  for (const name of readdirSync(folder)) rmSync(join(folder, name), { recursive: true });
  await deployment.untilReplaced('redis', before, backWithinMs);
}
