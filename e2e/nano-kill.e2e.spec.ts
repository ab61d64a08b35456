import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { repository } from './harness';

// A short run of `npm run kill:nanopay`, which has servers of its own: tee, nanopay and PostgreSQL are killed at random
// moments, and a second tee takes over from the first. It looks at the ledger after each time.

const kills = 4;
// Printed, and taken from the environment to repeat a run that failed.
const seed = Number(process.env['KILL_SEED'] ?? (Date.now() % 2 ** 31) + 1);

let child: ChildProcess | undefined;
// It takes all that it has started with it.
afterAll(async () => {
  if (!child || child.exitCode !== null) return;
  const gone = once(child, 'exit');
  child.kill('SIGTERM');
  await gone;
}, 60_000);

it(`serves and keeps every nano-payment once while processes are killed ${kills} times`, async () => {
  const args = [
    join(repository, 'tools/kill-nanopay.mjs'),
    '--built',
    '--kills',
    `${kills}`,
    '--seed',
    `${seed}`,
  ];
  const env = { ...process.env, NODE_OPTIONS: '' };
  const running = spawn(process.execPath, args, { cwd: repository, env, stdio: ['ignore', 'pipe', 'pipe'] });
  child = running;
  let [said, result] = ['', ''];
  running.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()));
  running.stdout.on('data', (chunk: Buffer) => (result += chunk.toString()));
  const [code] = (await once(running, 'close')) as [number];
  expect(code === 0 ? '' : said).toBe('');
  const figures = JSON.parse(result) as { kills: number; grants: number; receipts: number };
  expect(figures.kills).toBe(kills);
  // After each kill at least one was charged, and each charge has its receipt in the chain.
  expect(figures.grants).toBeGreaterThan(kills);
  expect(figures.receipts).toBeGreaterThanOrEqual(figures.grants);
}, 240_000);
