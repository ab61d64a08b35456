// Measures and compares sellers of a paid route:
// npm run bench:nanopay [-- --rounds N --seconds N --only PART --rate N,N --json FILE]
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { prepareMeasurement } from './local/measurement.mjs';
import { positive, readOptions, text } from './local/options.mjs';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..');
const { values } = readOptions({
  rounds: positive(3),
  seconds: positive(2),
  only: text(''),
  rate: {
    ...text(),
    rule: 'numbers above 0, with a comma between two',
    read: (list) => {
      const rates = list.split(',').map(Number);
      return rates.every((rate) => rate > 0) ? rates : undefined;
    },
  },
  json: text(join(root, '.tollbridge', 'bench', 'nanopay.json')),
});
const { rounds, seconds, only, rate: rates = null } = values;
const options = { rounds, seconds, only, rates };
mkdirSync(dirname(resolve(values.json)), { recursive: true });
await prepareMeasurement();
// Imported here, because in a fresh clone the packages must be installed first.
const { runNanopayBench } = await import('./bench/nanopay/run.mjs');
const { printResult } = await import('./bench/nanopay/print.mjs');
const progress = (phase, row, load) => process.stderr.write(`${phase}: ${row}, ${load}\n`);
const result = await runNanopayBench(options, progress);
writeFileSync(values.json, `${JSON.stringify(result, null, 2)}\n`);
printResult(result);
process.stdout.write(`\nThe same as JSON: ${values.json}\n`);
