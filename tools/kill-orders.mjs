// Kills what creates and consumes orders while clients create and pay them, and checks that no event was lost or handled
// twice: npm run kill:orders [-- --kills N --seed N --built]
import { parseArgs } from 'node:util';
import { buildAll } from './local/build-all.mjs';
import { ensurePackages } from './local/packages.mjs';

const { values } = parseArgs({
  options: {
    kills: { type: 'string', default: '50' },
    seed: { type: 'string', default: String(Date.now() % 2 ** 31) },
    // Runs what was built before.
    built: { type: 'boolean', default: false },
  },
});
const whole = (name) => {
  const value = Number(values[name]);
  if (!Number.isSafeInteger(value) || value < 1) throw new Error(`--${name} must be a whole number above 0`);
  return value;
};
const options = { kills: whole('kills'), seed: whole('seed') };
if (!values.built) {
  const quiet = () => undefined;
  await ensurePackages(quiet);
  await buildAll(quiet);
}
// Imported only now: in a fresh clone there was nothing to import from.
const { runKills } = await import('../bench/kill-orders/run.mjs');
const stopping = new AbortController();
for (const name of ['SIGINT', 'SIGTERM']) process.once(name, () => stopping.abort());
const print = (line) => process.stderr.write(`${line}\n`);
print(`--seed ${options.seed}`);
try {
  const result = await runKills({ ...options, print, signal: stopping.signal });
  process.stdout.write(`${JSON.stringify(result)}\n`);
} catch (error) {
  print(error.stack);
  process.exitCode = 1;
}
