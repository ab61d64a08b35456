import { parseArgs } from 'node:util';
import { prepare } from './prepare.mjs';

/**
 * @typedef {object} KillOptions
 * @property {number} kills
 * @property {number} seed
 * @property {(line: string) => void} print writes a line of progress
 * @property {AbortSignal} signal aborted when the run is interrupted
 */

/**
 * Runs a drill with the options --kills N, --seed N, --built and those of its own, prints its figures as JSON, and fails when it finds a fault.
 * @param {() => Promise<{ runKills(options: KillOptions & Record<string, unknown>): Promise<object> }>} load imports the
 * drill: in a fresh clone there is nothing to import from before the packages are installed and built
 * @param {import('node:util').ParseArgsConfig['options']} [own] options that the drill gets by their names
 */
export async function runKillCommand(load, own = {}) {
  const { values } = parseArgs({
    options: {
      kills: { type: 'string', default: '50' },
      seed: { type: 'string', default: String(Date.now() % 2 ** 31) },
      // Runs what was built before.
      built: { type: 'boolean', default: false },
      ...own,
    },
  });
  const { built, ...options } = values;
  const [kills, seed] = [
    wholeNumber('kills', String(values.kills)),
    wholeNumber('seed', String(values.seed)),
  ];
  if (!built) await prepare({ builds: true });
  const { runKills } = await load();
  const stopping = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM']) process.once(name, () => stopping.abort());
  const print = (/** @type {string} */ line) => void process.stderr.write(`${line}\n`);
  print(`--seed ${seed}`);
  try {
    const result = await runKills({ ...options, kills, seed, print, signal: stopping.signal });
    process.stdout.write(`${JSON.stringify(result)}\n`);
  } catch (error) {
    print(error.isFinding ? error.message : error.stack);
    process.exitCode = 1;
  }
}

/** @param {string} name @param {string} text */
function wholeNumber(name, text) {
  const value = Number(text);
  if (!Number.isSafeInteger(value) || value < 1) throw new Error(`--${name} must be a whole number above 0`);
  return value;
}
