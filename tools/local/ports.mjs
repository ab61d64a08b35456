import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { Problem } from './problem.mjs';

// Below the ports that the system uses for outgoing connections (from 32768). Otherwise, a connection could take a port
// while its server is restarting.
const lowest = 20_000;
const highest = 32_000;
// Programs listen seconds after their ports are chosen, and other programs start in parallel. Each process therefore
// uses its own blocks of ports, and holds the first port of each block until it exits.
const blockSize = 100;
const claimTimeoutMs = 10_000;

/** Blocks that this process holds. @type {number[]} */
const blocks = [];

/** Used ports of those blocks, with the folder that uses each. */
const given = new Map();

/**
 * Returns free ports for the given names. Uses the ports of the last start if they are still free.
 * @param {import('./directory.mjs').Directory} directory
 * @param {string[]} names
 * @returns {Promise<Record<string, number>>}
 */
export async function choosePorts(directory, names) {
  /** @type {Record<string, number>} */
  const known = directory.readJson('ports.json') ?? {};
  /** @type {Record<string, number>} */
  const chosen = {};
  for (const name of names) {
    const taken = Object.entries({ ...known, ...chosen }).flatMap(([other, port]) =>
      other === name ? [] : [port],
    );
    chosen[name] = (await keptPort(directory, known[name], taken)) ?? (await freePort(taken, directory.path));
  }
  directory.writeJson('ports.json', { ...known, ...chosen });
  return chosen;
}

/** @param {import('./directory.mjs').Directory} directory @param {number | undefined} port @param {number[]} taken */
async function keptPort({ path }, port, taken) {
  if (port === undefined || taken.includes(port) || (given.get(port) ?? path) !== path) return undefined;
  const block = port - (port % blockSize);
  // Ports of many blocks would block other processes.
  if (blocks.length > 0 && !blocks.includes(block)) return undefined;
  if (!(await holds(block)) || !(await isFree(port))) return undefined;
  given.set(port, path);
  return port;
}

/**
 * Returns the public port: the requested one, or any free port if the request is 0.
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

/**
 * Returns a free port that no other process uses while this one runs.
 * @param {number[]} except
 * @param {string} owner the folder that uses it
 */
export async function freePort(except = [], owner = '') {
  const deadlineMs = performance.now() + claimTimeoutMs;
  do {
    for (const port of blocks.flatMap(portsIn)) {
      if (given.has(port) || except.includes(port) || !(await isFree(port))) continue;
      given.set(port, owner);
      return port;
    }
    await holds(randomInt(lowest / blockSize, highest / blockSize) * blockSize);
  } while (performance.now() < deadlineMs);
  throw new Problem(
    `No free port was found between ${lowest} and ${highest} on 127.0.0.1. Stop what uses them and try again.`,
  );
}

/** @param {number} block */
const portsIn = (block) => Array.from({ length: blockSize - 1 }, (_, index) => block + 1 + index);

/** Returns true if this process holds the block, and takes the block if it is free. @param {number} block */
async function holds(block) {
  if (blocks.includes(block)) return true;
  const server = createServer().unref().listen(block, '127.0.0.1');
  try {
    await once(server, 'listening');
  } catch {
    return false;
  }
  blocks.push(block);
  return true;
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
