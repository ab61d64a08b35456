// Measures Tollbridge, and for comparison the limits of this machine; docs/performance.md describes the options.
// npm run bench [-- OPTIONS]
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isServer } from './bench/idle-figures.mjs';
import { balanceSources } from './bench/payer-rows.mjs';
import { prepareMeasurement } from './local/measurement.mjs';
import { flag, oneOf, positive, readOptions, text, wholeNumber } from './local/options.mjs';
import { runSandbox } from './local/run-sandbox.mjs';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..');
const directory = join(root, '.tollbridge', 'bench');
const { values } = readOptions({
  rounds: wholeNumber(3, 0),
  seconds: positive(3),
  only: text(''),
  orders: wholeNumber(1_000_000),
  sustained: oneOf(['default', 'all', 'none'], 'default'),
  'sustained-seconds': positive(300),
  'one-process': flag,
  strict: flag,
  json: text(join(directory, 'result.json')),
});
const { rounds, seconds, only, orders, sustained, 'sustained-seconds': sustainedSeconds } = values;
const options = { rounds, seconds, only, orders, sustained, sustainedSeconds };

mkdirSync(directory, { recursive: true });
// The slow providers read the registry of chains, which a fresh clone has to build first.
await prepareMeasurement();
process.stderr.write('Starting a sandbox for the bench …\n');
const providers = fork(join(root, 'tools', 'bench', 'limits', 'slow-providers.mjs'), { stdio: 'inherit' });
const [{ url: providersUrl }] = await once(providers, 'message');
const balancesFile = join(directory, 'slow-balances.json');
writeFileSync(balancesFile, JSON.stringify(balanceSources(providersUrl)));
// By default one process per app, as in a deployment.
const running = await runSandbox({
  directory,
  isOneProcess: values['one-process'],
  environment: {
    ONECLICK_URL: providersUrl,
    BALANCES_FILE: balancesFile,
    // All sockets of the bench have the same address.
    STREAM_MAX_SOCKETS_PER_ADDRESS: '10000',
  },
});
const stop = async () => {
  providers.kill();
  await running.stop();
};
process.once('SIGINT', () => void stop().then(() => process.exit(130)));
try {
  // Imported here, because it needs the packages that `runSandbox` installs.
  const { runBench } = await import('./bench/run.mjs');
  const { printResult } = await import('./bench/print.mjs');
  const { isMissed } = await import('./bench/targets.mjs');
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
    isOneProcess: values['one-process'],
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
