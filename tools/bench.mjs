// Measures Tollbridge beside the limits of this machine; docs/performance.md describes the options: npm run bench
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { isServer } from '../bench/idle-figures.mjs';
import { balanceSources } from '../bench/payer-rows.mjs';
import { prepare } from './local/prepare.mjs';
import { runSandbox } from './local/run-sandbox.mjs';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..');
const directory = join(root, '.tollbridge', 'bench');
const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '3' },
    seconds: { type: 'string', default: '3' },
    only: { type: 'string', default: '' },
    orders: { type: 'string', default: '1000000' },
    sustained: { type: 'string', default: 'default' },
    'sustained-seconds': { type: 'string', default: '300' },
    strict: { type: 'boolean', default: false },
    json: { type: 'string', default: join(directory, 'result.json') },
  },
});

const options = {
  rounds: wholeNumber('rounds', 0),
  seconds: number('seconds'),
  only: values.only,
  orders: wholeNumber('orders', 1),
  sustained: values.sustained,
  sustainedSeconds: number('sustained-seconds'),
};
if (!['default', 'all', 'none'].includes(options.sustained))
  throw new Error('--sustained must be default, all or none');

function number(name) {
  const value = Number(values[name]);
  if (!(value > 0)) throw new Error(`--${name} must be a number above 0`);
  return value;
}

function wholeNumber(name, least) {
  const value = Number(values[name]);
  if (!Number.isSafeInteger(value) || value < least)
    throw new Error(`--${name} must be a whole number of at least ${least}`);
  return value;
}

mkdirSync(directory, { recursive: true });
// The slow providers read the registry of chains: in a fresh clone it has to be built first.
await prepare({ builds: true });
process.stderr.write('Starting a sandbox for the bench …\n');
const providers = fork(join(root, 'bench', 'limits', 'slow-providers.mjs'), { stdio: 'inherit' });
const [{ url: providersUrl }] = await once(providers, 'message');
const balancesFile = join(directory, 'slow-balances.json');
writeFileSync(balancesFile, JSON.stringify(balanceSources(providersUrl)));
// One process per app, as it would be deployed.
const running = await runSandbox({
  directory,
  environment: {
    ONECLICK_URL: providersUrl,
    BALANCES_FILE: balancesFile,
    // All of the bench's sockets come from one address.
    STREAM_MAX_SOCKETS_PER_ADDRESS: '10000',
  },
});
const stop = async () => {
  providers.kill();
  await running.stop();
};
process.once('SIGINT', () => void stop().then(() => process.exit(130)));
try {
  // Imported only now: the start has installed what it needs.
  const { runBench } = await import('../bench/run.mjs');
  const { printResult } = await import('../bench/print.mjs');
  const { isMissed } = await import('../bench/targets.mjs');
  const { gateway, urls, pids, ports, passwords } = running.state;
  const apps = Object.fromEntries(Object.entries(pids).filter(([name]) => !isServer(name)));
  const environment = {
    gateway,
    streamUrl: `http://127.0.0.1:${ports['stream-public']}`,
    natsUrl: urls.nats,
    redisUrl: urls.redis,
    databaseUrl: urls.postgres.replace(/\/postgres$/, '/tollbridge'),
    identitySecrets: passwords.identities,
    natsPasswords: passwords.nats,
    identitiesFile: join(directory, 'identities.json'),
    pids: apps,
  };
  const progress = (phase, row, level) => process.stderr.write(`${phase}: ${row}, ${level} in flight\n`);
  const result = await runBench(environment, options, progress);
  writeFileSync(values.json, `${JSON.stringify(result, null, 2)}\n`);
  printResult(result);
  process.stdout.write(`\nThe same as JSON: ${values.json}\n`);
  if (values.strict && result.targets.some(isMissed)) process.exitCode = 1;
} finally {
  await stop();
}
