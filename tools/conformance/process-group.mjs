import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

/**
 * Runs a program until it ends, and then ends every process that it has left running.
 * @param {string} program
 * @param {string[]} args
 * @param {object} options
 * @param {string} [options.cwd]
 * @param {NodeJS.ProcessEnv} [options.env]
 * @param {number} options.idleMs ends the program after this time without a line of output
 * @param {(line: string) => boolean | void} options.onLine returns false to end the program
 * @returns {Promise<number | null>} its exit code; null if this function ended it
 */
export async function runGroup(program, args, { cwd, env, idleMs, onLine }) {
  // A separate process group, so that one signal ends all of its processes.
  const child = spawn(program, args, { cwd, env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
  const end = () => {
    try {
      process.kill(-Number(child.pid), 'SIGTERM');
    } catch {
      // The group has no processes any more.
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
