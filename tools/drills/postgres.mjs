// PostgreSQL failover under load with Patroni, etcd and HAProxy: npm run drill:postgres [-- --failovers N --built]
import { parseArgs } from 'node:util';
import { buildAll } from '../local/build-all.mjs';
import { ensurePackages } from '../local/packages.mjs';

const { values } = parseArgs({
  options: {
    failovers: { type: 'string', default: '2' },
    // Runs what was built before.
    built: { type: 'boolean', default: false },
  },
});
const failovers = Number(values.failovers);
if (!Number.isSafeInteger(failovers) || failovers < 1)
  throw new Error('--failovers must be a whole number above 0');
const print = (/** @type {string} */ line) => void process.stderr.write(`${line}\n`);
if (!values.built) {
  await ensurePackages(print);
  await buildAll(print);
}
// In a fresh clone there is nothing to import from before.
const { runFailovers } = await import('./postgres/failover-drill.mjs');
const stopping = new AbortController();
for (const name of ['SIGINT', 'SIGTERM']) process.once(name, () => stopping.abort());
try {
  const figures = await runFailovers({ failovers, print, signal: stopping.signal });
  process.stdout.write(`${JSON.stringify(figures)}\n`);
} catch (error) {
  print(error.stack);
  process.exitCode = 1;
}
process.exit();
