// Measures Tollbridge beside the limits of this machine: npm run bench [-- --rounds N --seconds N --only PART --json FILE]
import { fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { balanceSources } from '../bench/payer-rows.mjs';
import { buildAll } from './local/build-all.mjs';
import { ensurePackages } from './local/packages.mjs';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..');
const directory = join(root, '.tollbridge', 'bench');
const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '3' },
    seconds: { type: 'string', default: '3' },
    only: { type: 'string', default: '' },
    json: { type: 'string', default: join(directory, 'result.json') },
  },
});

/** A world of its own, one process per app, as it would be deployed. */
async function startWorld(environment) {
  const args = ['tools/start.mjs', '--fresh', '--processes', '--no-payment', '--directory', directory];
  const child = spawn(process.execPath, args, {
    cwd: root,
    env: { ...process.env, PORT: '0', ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  child.stdout.on('data', (chunk) => (output += chunk));
  const ended = once(child, 'exit').then(() =>
    Promise.reject(new Error(`the world did not start:\n${output}`)),
  );
  await Promise.race([untilReady(), ended]);
  ended.catch(() => undefined);
  return child;
}

const readState = () => JSON.parse(readFileSync(join(directory, 'state.json'), 'utf8'));

async function untilReady() {
  for (;;) {
    await new Promise((wait) => setTimeout(wait, 200));
    try {
      if (readState().ready) return;
    } catch {
      // Not written yet.
    }
  }
}

mkdirSync(directory, { recursive: true });
process.stdout.write('Starting a world for the bench …\n');
// The slow providers read the registry of chains: in a fresh clone it has to be built first.
const quiet = () => undefined;
await ensurePackages(quiet);
await buildAll(quiet);
const providers = fork(join(root, 'bench', 'limits', 'slow-providers.mjs'), { stdio: 'inherit' });
const [{ url: providersUrl }] = await once(providers, 'message');
const balancesFile = join(directory, 'slow-balances.json');
writeFileSync(balancesFile, JSON.stringify(balanceSources(providersUrl)));
const child = await startWorld({
  ONECLICK_URL: providersUrl,
  BALANCES_FILE: balancesFile,
  // All of the bench's sockets come from one address.
  STREAM_MAX_SOCKETS_PER_ADDRESS: '10000',
});
const stop = async () => {
  providers.kill();
  child.kill('SIGINT');
  await once(child, 'exit');
};
process.once('SIGINT', () => void stop().then(() => process.exit(130)));
try {
  // Imported only now: the start has installed what it needs.
  const { runBench } = await import('../bench/run.mjs');
  const { printResult } = await import('../bench/print.mjs');
  const { gateway, urls, pids, ports } = readState();
  const apps = Object.fromEntries(
    Object.entries(pids).filter(([name]) => !/^(postgres|nats|redis|anvil)/.test(name)),
  );
  const world = {
    gateway,
    streamUrl: `http://127.0.0.1:${ports['stream-public']}`,
    natsUrl: urls.nats,
    databaseUrl: urls.postgres.replace(/\/postgres$/, '/tollbridge'),
    pids: apps,
  };
  const options = {
    rounds: Number(values.rounds),
    seconds: Number(values.seconds),
    only: values.only,
  };
  const progress = (phase, row, level) => process.stderr.write(`${phase}: ${row}, ${level} in flight\n`);
  const result = await runBench(world, options, progress);
  writeFileSync(values.json, `${JSON.stringify(result, null, 2)}\n`);
  printResult(result);
  process.stdout.write(`\nThe same as JSON: ${values.json}\n`);
} finally {
  await stop();
}
