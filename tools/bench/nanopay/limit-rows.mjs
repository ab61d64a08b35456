// Limits of this machine, for comparison with the sellers.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { measureHttp } from '../http-load.mjs';
import { resource } from './resource.mjs';
import { startVerifyThreads } from './verify-threads.mjs';

export const rawFastify = 'raw Fastify GET';
const levels = [1, 16, 64].map((inFlight) => ({ inFlight }));

/** @param atEnd registers a function that stops a started process */
export const limitRows = (atEnd) => [
  { name: rawFastify, loads: levels, start: () => startFastify(atEnd) },
  verifyRow(1, atEnd),
  verifyRow(2, atEnd),
];

const verifyRow = (threads, atEnd) => ({
  name: `raw Ed25519 verify, ${threads} thread${threads > 1 ? 's' : ''}`,
  loads: [{ inFlight: threads }],
  async start() {
    const { measure, stop } = await startVerifyThreads(threads);
    atEnd(stop);
    return (_load, seconds) => measure(seconds);
  },
});

async function startFastify(atEnd) {
  const file = fileURLToPath(new URL('../limits/fastify-server.mjs', import.meta.url));
  const child = fork(file, [JSON.stringify(resource)], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  atEnd(() => child.kill());
  const [{ url }] = await once(child, 'message');
  const { origin, pathname } = new URL(url);
  return ({ inFlight }, seconds) => measureHttp(origin, () => ({ path: pathname }), inFlight, seconds);
}
