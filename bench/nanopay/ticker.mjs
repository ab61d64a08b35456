// Wakes its parent whenever a request is due. A timer of the parent's own would be late by a millisecond, which is several
// requests at 5,000/s.
import { parentPort, workerData } from 'node:worker_threads';

const { shared, periodMs } = workerData;
const [waiting, running] = [0, 1];
const state = new Int32Array(shared, 0, 1);
const startNs = new BigInt64Array(shared, 8, 1);
// A beat that comes a moment too soon would find nothing to send, and the next is far.
const marginMs = 0.03;

parentPort.postMessage('ready');
Atomics.wait(state, 0, waiting);
const sinceStartMs = () => Number(process.hrtime.bigint() - startNs[0]) / 1e6;
for (let beat = 0; Atomics.load(state, 0) === running; beat++) {
  const waitMs = beat * periodMs + marginMs - sinceStartMs();
  if (waitMs > 0) Atomics.wait(state, 0, running, waitMs);
  // The parent looks at the clock: beats that were slept through need not be made up.
  else beat = Math.floor(sinceStartMs() / periodMs);
  parentPort.postMessage(beat);
}
parentPort.close();
