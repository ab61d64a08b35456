// Measures the time from a chain's finality until a direct payment is settled, on the local network of each family.
//
// npm run bench:settle [-- --payments N --json FILE --strict]
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { repository } from './local/directory.mjs';
import { prepareMeasurement } from './local/measurement.mjs';
import { flag, readOptions, text, wholeNumber } from './local/options.mjs';

const mostAfterFinalityMs = 2_000;
const { values } = readOptions({
  payments: wholeNumber(12),
  json: text(join(repository, '.tollbridge', 'bench-settle.json')),
  strict: flag,
});
const { payments } = values;
await prepareMeasurement();
// Imported here, because in a fresh clone the packages must be installed first.
const { measureSettleTimes } = await import('./bench/settle-times/run.mjs');
const print = (line = '') => process.stdout.write(`${line}\n`);
const rows = await measureSettleTimes({ payments, print });
const seconds = (ms) => (ms / 1_000).toFixed(2).padStart(10);
const median = (list) => list.toSorted((one, other) => one - other)[list.length >> 1];
let isMissed = false;
print('\nseconds             payments      final   settled   slowest after finality');
for (const family of new Set(rows.map((row) => row.family))) {
  const own = rows.filter((row) => row.family === family);
  const slowestMs = Math.max(...own.map(({ finalMs, settledMs }) => settledMs - finalMs));
  const medians = ['finalMs', 'settledMs'].map((name) => seconds(median(own.map((row) => row[name]))));
  print(`${family.padEnd(20)}${String(own.length).padStart(8)} ${medians.join('')}${seconds(slowestMs)}`);
  isMissed ||= slowestMs > mostAfterFinalityMs;
}
mkdirSync(dirname(values.json), { recursive: true });
writeFileSync(values.json, `${JSON.stringify({ payments, rows }, null, 2)}\n`);
if (isMissed) print(`more than ${mostAfterFinalityMs / 1_000} s after finality`);
if (values.strict && isMissed) process.exitCode = 1;
