import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { Problem } from './problem.mjs';

const program = fileURLToPath(new URL('../test-servers.mjs', import.meta.url));

/**
 * Starts servers for a test run in a process that stops them when this process ends for any reason.
 * @param {Record<string, string>} [more] environment variables of that process
 * @returns {Promise<{ variables: Record<string, string>, stop: () => Promise<void> }>}
 */
export async function spawnTestServers(more = {}) {
  const env = { ...process.env, ...more };
  const child = spawn(process.execPath, [program], { env, stdio: ['pipe', 'pipe', 'inherit'] });
  const ended = new Promise((resolve) => child.once('exit', resolve));
  const stop = async () => {
    child.stdin.end();
    await ended;
  };
  for await (const line of createInterface({ input: child.stdout }))
    return { variables: JSON.parse(line), stop };
  throw new Problem('The test servers did not start; the lines above say why.');
}
