import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

/**
 * Runs a program to its end, and then ends every process that it has left behind.
 * @param {string} program
 * @param {string[]} args
 * @param {object} options
 * @param {string} [options.cwd]
 * @param {NodeJS.ProcessEnv} [options.env]
 * @param {number} options.idleMs it is ended after this time without a line of output
 * @param {(line: string) => boolean | void} options.onLine false ends it
 * @returns {Promise<number | null>} its exit code; null when it was ended
 */
export async function runGroup(program, args, { cwd, env, idleMs, onLine }) {
  // A group of its own, so that all of it can be ended by one signal.
  const child = spawn(program, args, { cwd, env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
  const end = () => {
    try {
      process.kill(-Number(child.pid), 'SIGTERM');
    } catch {
      // No process of the group is left.
    }
  };
  const timer = setTimeout(end, idleMs);
  for (const stream of [child.stdout, child.stderr])
    createInterface({ input: stream }).on('line', (line) => {
      timer.refresh();
      if (onLine(line) === false) end();
    });
  process.once('exit', end);
  try {
    return await new Promise((resolve, reject) => {
      child.once('error', reject);
      child.once('exit', resolve);
    });
  } finally {
    clearTimeout(timer);
    process.off('exit', end);
    if (child.pid) end();
  }
}
