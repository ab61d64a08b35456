// Opens the API reference and checkout pages in one real browser, pays all pages, and measures when each shows its
// payment.
//
// npm run bench:pages [-- --pages N --json FILE --strict]
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { repository } from './local/directory.mjs';
import { prepareMeasurement } from './local/measurement.mjs';
import { flag, readOptions, text, wholeNumber } from './local/options.mjs';

// Two blocks of the local chain, and one second for the page.
const longestMs = 5_000;
const longestDrawMs = 2_000;
const directory = join(repository, '.tollbridge', 'bench-pages');
const { values } = readOptions({
  pages: wholeNumber(200),
  json: text(join(directory, 'result.json')),
  strict: flag,
});
const { pages } = values;
await prepareMeasurement();
// Imported here, because in a fresh clone the packages must be installed first.
const { measurePages } = await import('./bench/pages/run.mjs');
const print = (line = '') => process.stdout.write(`${line}\n`);
const result = await measurePages({ directory: join(directory, 'data'), pages, print });
const { openedS, gatewayMb, medianMs, lastMs, faults, reference } = result;
for (const { name, p50, p95 } of result.visits)
  print(`${name}: p50 ${p50.toFixed(0)} ms, p95 ${p95.toFixed(0)} ms`);
const { documentKb, drawnMs, openedMs } = reference;
print(
  `\nAPI reference of ${documentKb.toFixed(0)} kB: drawn after ${drawnMs.toFixed(0)} ms, an operation after ${openedMs.toFixed(0)} ms`,
);
print(
  `${pages} pages opened in ${openedS.toFixed(0)} s; the gateway takes ${gatewayMb.toFixed(0)} MB with them`,
);
print(`from a transaction to its page: median ${medianMs.toFixed(0)} ms, last ${lastMs.toFixed(0)} ms`);
for (const fault of new Set(faults)) print(`on a page: ${fault}`);
mkdirSync(dirname(values.json), { recursive: true });
writeFileSync(values.json, `${JSON.stringify(result, null, 2)}\n`);
const isMissed = faults.length > 0 || lastMs > longestMs || drawnMs > longestDrawMs;
if (values.strict && isMissed) process.exitCode = 1;
