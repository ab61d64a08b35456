import { flag, readOptions, wholeNumber } from './options.mjs';
import { prepare } from './prepare.mjs';

/**
 * @typedef {object} KillOptions
 * @property {number} kills
 * @property {number} seed
 * @property {(line: string) => void} print prints a progress line
 * @property {AbortSignal} signal aborted when the run is interrupted
 */

/**
 * Runs a drill with the options --kills N, --seed N, --built and its own options. Prints its measurements as JSON, and
 * fails if it finds a fault.
 * @param {() => Promise<{ runKills(options: KillOptions & Record<string, unknown>): Promise<object> }>} load imports
 * the drill. It is called after the packages are installed and built, because a fresh clone has neither.
 * @param {Record<string, import('./options.mjs').Option>} [own] additional options, which the drill gets by name
 */
export async function runKillCommand(load, own = {}) {
  const { built, kills, seed, ...options } = readOptions({
    kills: wholeNumber(50),
    seed: wholeNumber(Date.now() % 2 ** 31),
    // Uses the existing build.
    built: flag,
    ...own,
  }).values;
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
