// Verifies signatures with prepared keys until stopped. The rate is the upper limit of the machine's cores.
import { randomBytes, sign, verify } from 'node:crypto';
import { parentPort, workerData } from 'node:worker_threads';
import { makeBuyers } from './buyers.mjs';

const signed = makeBuyers(workerData.keys).map(({ privateKey, verifyKey }) => {
  const digest = randomBytes(32);
  return { digest, verifyKey, signature: sign(null, digest, privateKey) };
});

parentPort.on('message', ({ seconds }) => {
  const latencies = [];
  const startedMs = performance.now();
  const endMs = startedMs + seconds * 1_000;
  let beforeMs = startedMs;
  for (let index = 0; beforeMs < endMs; index++) {
    const { digest, verifyKey, signature } = signed[index % signed.length];
    if (!verify(null, digest, verifyKey, signature)) throw new Error('a valid signature was rejected');
    const nowMs = performance.now();
    latencies.push(nowMs - beforeMs);
    beforeMs = nowMs;
  }
  parentPort.postMessage({ latencies, seconds: (beforeMs - startedMs) / 1_000 });
});
parentPort.postMessage('ready');
