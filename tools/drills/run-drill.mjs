import { flag, readOptions, text } from '../local/options.mjs';
import { prepare } from '../local/prepare.mjs';
import { describeError } from '../local/problem.mjs';

/**
 * @typedef {object} DrillOptions
 * @property {(line: string) => void} print prints a progress line
 * @property {AbortSignal} signal aborted when the drill is interrupted
 * @property {Record<string, string>} options command-line options
 */

/** @param {number} startedMs from `performance.now()` @returns {number} seconds, with one decimal */
export const secondsSince = (startedMs) => Math.round((performance.now() - startedMs) / 100) / 10;

/**
 * Builds the product, runs a drill and prints its measurements as JSON. Fails if the drill finds a fault. With --built,
 * uses the existing build.
 * @param {() => Promise<{ run(options: DrillOptions): Promise<object> }>} load imports the drill. It is called after
 * the packages are installed and built, because a fresh clone has neither.
 * @param {Record<string, string | undefined>} defaults the drill's own options, with their defaults
 */
export async function runDrill(load, defaults = {}) {
  const own = Object.entries(defaults).map(([name, standard]) => [name, text(standard)]);
  const { built, ...options } = readOptions({ ...Object.fromEntries(own), built: flag }).values;
  const startedMs = performance.now();
  const print = (/** @type {string} */ line) =>
    void process.stderr.write(
      `${((performance.now() - startedMs) / 1_000).toFixed(1).padStart(7)} s  ${line}\n`,
    );
  const stopping = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM']) process.once(name, () => stopping.abort());
  try {
    if (!built) await prepare({ builds: true });
    const { run } = await load();
    const result = await run({ print, signal: stopping.signal, options });
    process.stdout.write(`${JSON.stringify(result)}\n`);
  } catch (error) {
    process.stderr.write(`${describeError(error)}\n`);
    process.exitCode = 1;
  }
}
