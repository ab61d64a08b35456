import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';
import { Problem } from './problem.mjs';

// Below the ports that the system gives to outgoing connections (from 32768): those could take a port of ours while its
// server is down for a moment.
const lowest = 20_000;
const highest = 32_000;

/**
 * Free ports for the given names: those of the last start where they are still free.
 * @param {import('./directory.mjs').Directory} directory
 * @param {string[]} names
 * @returns {Promise<Record<string, number>>}
 */
export async function choosePorts(directory, names) {
  const known = directory.readJson('ports.json') ?? {};
  /** @type {Record<string, number>} */
  const chosen = {};
  for (const name of names) {
    const port = known[name];
    const isTaken = Object.values(chosen).includes(port);
    chosen[name] = port && !isTaken && (await isFree(port)) ? port : await freePort(Object.values(chosen));
  }
  directory.writeJson('ports.json', { ...known, ...chosen });
  return chosen;
}

/**
 * The public port: the one that was asked for, or any when that is 0.
 * @param {import('./directory.mjs').Directory} directory
 * @param {string} wanted
 */
export async function chooseGatewayPort(directory, wanted = '3000') {
  const port = Number(wanted);
  if (!/^\d+$/.test(wanted) || port > 65_535)
    throw new Problem(`PORT is "${wanted}"; it must be a number from 0 to 65535.`);
  if (port === 0) return (await choosePorts(directory, ['public'])).public;
  if (await isFree(port)) return port;
  throw new Problem(`Port ${port} is in use; free it or choose another: PORT=${port + 1} npm start`);
}

/** @param {number[]} except */
export async function freePort(except = []) {
  // Twelve thousand ports: a hundred taken ones in a row means that something is very wrong.
  for (let attempt = 0; attempt < 100; attempt++) {
    const port = randomInt(lowest, highest);
    if (!except.includes(port) && (await isFree(port))) return port;
  }
  throw new Problem(
    `No free port was found between ${lowest} and ${highest} on 127.0.0.1. Stop what uses them and try again.`,
  );
}

/** @param {number} port @returns {Promise<boolean>} */
export function isFree(port) {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', (/** @type {NodeJS.ErrnoException} */ error) => {
      if (error.code === 'EADDRINUSE') resolve(false);
      else if (error.code === 'EACCES')
        reject(new Problem(`Port ${port} needs root. Choose another: PORT=3001 npm start`));
      else reject(error);
    });
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}
