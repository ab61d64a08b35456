import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { repository } from './harness';

// Short runs of `npm run kill:nanopay` and `npm run kill:channels`, which have their own servers. They kill processes
// of sellers, ledger and database at random moments, and compare the ledger with the buyers' results.

// Printed, so that KILL_SEED can repeat a failed run.
const seed = Number(process.env['KILL_SEED'] ?? (Date.now() % 2 ** 31) + 1);

let child: ChildProcess | undefined;
// The child also stops all processes that it has started.
afterAll(async () => {
  if (!child || child.exitCode !== null) return;
  const gone = once(child, 'exit');
  child.kill('SIGTERM');
  await gone;
});

/** The figures that the drill prints. */
async function run<T>(tool: string, kills: number): Promise<T> {
  const args = [join(repository, tool), '--built', '--kills', `${kills}`, '--seed', `${seed}`];
  const env = { ...process.env, NODE_OPTIONS: '' };
  const running = spawn(process.execPath, args, { cwd: repository, env, stdio: ['ignore', 'pipe', 'pipe'] });
  child = running;
  let [said, result] = ['', ''];
  running.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()));
  running.stdout.on('data', (chunk: Buffer) => (result += chunk.toString()));
  const [code] = (await once(running, 'close')) as [number];
  expect(code === 0 ? '' : said).toBe('');
  return JSON.parse(result) as T;
}

it('serves and records every nano-payment once while processes are killed 4 times', async () => {
  const figures = await run<{ kills: number; grants: number; receipts: number }>('tools/kill-nanopay.mjs', 4);
  expect(figures.kills).toBe(4);
  // At least one charge follows each kill, and each charge has its receipt in the chain.
  expect(figures.grants).toBeGreaterThan(4);
  expect(figures.receipts).toBeGreaterThanOrEqual(figures.grants);
}, 240_000);

it('charges every request paid by a channel once while processes are killed 5 times', async () => {
  const figures = await run<{ kills: number; served: number; charged: number }>('tools/kill-channels.mjs', 5);
  expect(figures.kills).toBe(5);
  expect(figures.served).toBeGreaterThan(5);
  expect(figures.charged).toBeGreaterThanOrEqual(figures.served);
}, 240_000);
