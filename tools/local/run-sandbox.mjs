import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { repository } from './directory.mjs';
import { Problem } from './problem.mjs';

/**
 * Starts a sandbox (tools/start.mjs) for a measurement, on a free port and without the demo payment. The sandbox is new
 * unless `isFresh` is false.
 * @param {{ directory: string, isOneProcess?: boolean, isFresh?: boolean, environment?: Record<string, string> }} options
 * @returns {Promise<{ state: any, stop: () => Promise<void>, kill: () => Promise<void> }>} the content of its
 * state.json, and functions that end it. `kill` leaves its processes running
 */
export async function runSandbox({ directory, isOneProcess = false, isFresh = true, environment = {} }) {
  const args = ['tools/start.mjs', '--no-payment', '--directory', directory];
  if (isFresh) args.push('--fresh');
  if (!isOneProcess) args.push('--processes');
  const child = spawn(process.execPath, args, {
    cwd: repository,
    // Measurements select the networks that they need, because each network uses processor time.
    env: { ...process.env, PORT: '0', SANDBOX_NETWORKS: 'none', ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let isReady = false;
  child.stdout.on('data', (chunk) => {
    if (!isReady) process.stderr.write(chunk);
  });
  const exit = once(child, 'exit');
  const failed = exit.then(() =>
    Promise.reject(new Problem('The sandbox did not start. The lines above say why.')),
  );
  const ended = new AbortController();
  child.once('exit', () => ended.abort());
  const ready = untilReady(join(directory, 'state.json'), child.pid, ended.signal);
  failed.catch(() => undefined);
  const stop = async () => {
    child.kill('SIGINT');
    await exit;
  };
  const kill = async () => {
    child.kill('SIGKILL');
    await exit;
  };
  try {
    const state = await Promise.race([ready, failed]);
    isReady = true;
    return { state, stop, kill };
  } catch (error) {
    await stop();
    throw error;
  }
}

/**
 * The start itself fails if it makes no progress, so this function needs no time limit.
 * @param {string} file @param {number | undefined} pid of the start that writes the file; an earlier
 * start may have left a file
 * @param {AbortSignal} signal
 */
async function untilReady(file, pid, signal) {
  while (!signal.aborted) {
    await sleep(200);
    try {
      const state = JSON.parse(readFileSync(file, 'utf8'));
      if (state.ready && state.pid === pid) return state;
    } catch {
      // The file does not exist yet.
    }
  }
}
