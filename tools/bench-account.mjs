// Accounts for the time of one request at a time, part by part: npm run bench:account [-- --json FILE]
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { repository } from './local/directory.mjs';
import { prepareMeasurement } from './local/measurement.mjs';
import { readOptions, text } from './local/options.mjs';
import { runSandbox } from './local/run-sandbox.mjs';

const directory = join(repository, '.tollbridge', 'bench-account');
const marks = join(repository, 'tools', 'bench', 'account', 'marks.cjs');
const { json } = readOptions({ json: text(join(directory, 'result.json')) }).values;
mkdirSync(directory, { recursive: true });
await prepareMeasurement();
// Imported here, because in a fresh clone the packages must be installed first.
const { accounts } = await import('./bench/account/account.mjs');
const { state, stop } = await runSandbox({
  directory: join(directory, 'data'),
  environment: { NODE_OPTIONS: `--require ${marks}` },
});
try {
  const found = await accounts({ ...state, directory });
  for (const { name, parts } of found) {
    process.stdout.write(`\n${name}, µs (medians)\n`);
    for (const { part, us } of parts)
      process.stdout.write(`${String(Math.round(us)).padStart(7)}  ${part}\n`);
  }
  mkdirSync(dirname(json), { recursive: true });
  writeFileSync(json, `${JSON.stringify(found, null, 2)}\n`);
} finally {
  await stop();
}
