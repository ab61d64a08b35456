// Wakes its parent when a request is due. A timer of the parent would be a millisecond late, which is several requests
// at 5,000 requests per second.
import { parentPort, workerData } from 'node:worker_threads';

const { shared, periodMs } = workerData;
const [waiting, running] = [0, 1];
const state = new Int32Array(shared, 0, 1);
const startNs = new BigInt64Array(shared, 8, 1);
// A tick that is slightly early would find no due request, and the next tick comes much later.
const marginMs = 0.03;

parentPort.postMessage('ready');
Atomics.wait(state, 0, waiting);
const sinceStartMs = () => Number(process.hrtime.bigint() - startNs[0]) / 1e6;
for (let beat = 0; Atomics.load(state, 0) === running; beat++) {
  const waitMs = beat * periodMs + marginMs - sinceStartMs();
  if (waitMs > 0) Atomics.wait(state, 0, running, waitMs);
  // Missed ticks need no replacement, because the parent reads the clock.
  else beat = Math.floor(sinceStartMs() / periodMs);
  parentPort.postMessage(beat);
}
parentPort.close();
