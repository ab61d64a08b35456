import { parentPort } from 'node:worker_threads';
import { checkLength, checkOne } from './check-one';

// Entry of a verifier thread.

/** A list of checks in `bytes`, without gaps. The reply has one byte per check (see `verdicts`). */
export interface Task {
  kind: 'verify' | 'verify-new-keys';
  bytes: Uint8Array;
}

parentPort?.on('message', ({ kind, bytes }: Task) => {
  const all = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const answers = new Uint8Array(all.length / checkLength);
  for (let index = 0; index < answers.length; index++) {
    const item = all.subarray(index * checkLength, (index + 1) * checkLength);
    answers[index] = checkOne(item, kind === 'verify-new-keys');
  }
  parentPort!.postMessage(answers, [answers.buffer as ArrayBuffer]);
});
