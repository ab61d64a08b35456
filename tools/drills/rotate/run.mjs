// Replaces each secret in turn while clients order, read, pay and buy. No request may fail.
import { setTimeout as sleep } from 'node:timers/promises';
import { StopLoad, summaryOf } from '../stop/load.mjs';
import { RotatedDeployment } from './deployment.mjs';
import { rotations } from './rotations.mjs';

const settledAfterMs = 2_000;
// A paywall retries a payment with an unknown outcome for the same time.
const retryMs = 5_000;

/**
 * @param {import('../run-drill.mjs').DrillOptions} options
 * @returns {Promise<object>} the number of requests and failures for each secret; rejects if a request failed
 */
export async function run({ print, signal }) {
  const deployment = await RotatedDeployment.start(print);
  try {
    const load = await StopLoad.start(deployment, deployment, { retryMs });
    const found = {};
    try {
      await sleep(settledAfterMs);
      for (const [name, rotate] of rotations) {
        signal.throwIfAborted();
        load.take();
        const startedMs = performance.now();
        await rotate(deployment);
        await sleep(settledAfterMs);
        found[name] = {
          ...summaryOf(load.take()),
          tookS: Math.round((performance.now() - startedMs) / 1_000),
        };
        print(`${name}: ${JSON.stringify(found[name])}`);
      }
    } finally {
      await load.stop();
    }
    const noticed = Object.entries(found).filter(([, { failures }]) => failures > 0);
    if (noticed.length > 0) throw new Error(`clients noticed rotations: ${JSON.stringify(noticed)}`);
    return found;
  } finally {
    await deployment.stop();
  }
}
