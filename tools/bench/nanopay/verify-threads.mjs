import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { summary } from '../measure.mjs';

const keys = 200;

/** Starts threads that only verify Ed25519 signatures. They sleep until they get a command. */
export async function startVerifyThreads(count) {
  const file = new URL('verify-thread.mjs', import.meta.url);
  const threads = Array.from({ length: count }, () => new Worker(file, { workerData: { keys } }));
  await Promise.all(threads.map((thread) => once(thread, 'message')));
  return {
    async measure(seconds) {
      const results = await Promise.all(
        threads.map(async (thread) => {
          thread.postMessage({ seconds });
          return (await once(thread, 'message'))[0];
        }),
      );
      const latencies = results.flatMap((result) => result.latencies);
      return summary(latencies, Math.max(...results.map((result) => result.seconds)), 0);
    },
    stop: () => Promise.all(threads.map((thread) => thread.terminate())),
  };
}
