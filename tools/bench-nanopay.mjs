// Measures sellers of a paid route beside each other:
// npm run bench:nanopay [-- --rounds N --seconds N --only PART --rate N,N --json FILE]
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { prepare } from './local/prepare.mjs';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..');
const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '3' },
    seconds: { type: 'string', default: '2' },
    only: { type: 'string', default: '' },
    rate: { type: 'string', default: '' },
    json: { type: 'string', default: join(root, '.tollbridge', 'bench', 'nanopay.json') },
  },
});

const number = (name, text) => {
  const value = Number(text);
  if (!(value > 0)) throw new Error(`--${name} has to be a number above 0`);
  return value;
};
const options = {
  rounds: number('rounds', values.rounds),
  seconds: number('seconds', values.seconds),
  only: values.only,
  rates: values.rate ? values.rate.split(',').map((text) => number('rate', text)) : null,
};
mkdirSync(dirname(resolve(values.json)), { recursive: true });
await prepare({ builds: true });
// Imported only now: in a fresh clone there was nothing to import from.
const { runNanopayBench } = await import('../bench/nanopay/run.mjs');
const { printResult } = await import('../bench/nanopay/print.mjs');
const progress = (phase, row, load) => process.stderr.write(`${phase}: ${row}, ${load}\n`);
const result = await runNanopayBench(options, progress);
writeFileSync(values.json, `${JSON.stringify(result, null, 2)}\n`);
printResult(result);
process.stdout.write(`\nThe same as JSON: ${values.json}\n`);
