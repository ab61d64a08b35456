// Measures the load of open orders on the nodes of each chain: requests, polls and blocks per minute, without and with
// open orders.
//
// npm run bench:polls [-- --orders N --seconds N --json FILE --strict]
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { repository } from './local/directory.mjs';
import { prepareMeasurement } from './local/measurement.mjs';
import { flag, readOptions, text, wholeNumber } from './local/options.mjs';

// One poll per block. The local chains need a few percent more than a second for a block.
const mostPollsPerBlock = 1.1;
const { values } = readOptions({
  orders: wholeNumber(500),
  seconds: wholeNumber(60),
  json: text(join(repository, '.tollbridge', 'bench-polls.json')),
  strict: flag,
});
const { orders, seconds } = values;
await prepareMeasurement();
// Imported here, because in a fresh clone the packages must be installed first.
const { measurePolls } = await import('./bench/polls/run.mjs');
const print = (line = '') => process.stdout.write(`${line}\n`);
const rows = await measurePolls({ orders, seconds, print });
const chains = [...new Set(rows.map(({ chain }) => chain))];
print(`\nper minute          open orders  requests     polls    blocks  polls a block`);
for (const row of rows.toSorted((one, other) => chains.indexOf(one.chain) - chains.indexOf(other.chain))) {
  const numbers = [row.orders, row.requests, row.polls, row.blocks].map((it) => it.toFixed(0).padStart(10));
  print(`${row.chain.padEnd(20)}${numbers.join('')}${row.pollsPerBlock.toFixed(2).padStart(15)}`);
}
mkdirSync(dirname(values.json), { recursive: true });
writeFileSync(values.json, `${JSON.stringify({ orders, seconds, rows }, null, 2)}\n`);
const missed = rows.filter((row) => row.orders > 0 && row.pollsPerBlock > mostPollsPerBlock);
for (const { chain } of missed) print(`${chain}: more than one poll a block`);
if (values.strict && missed.length > 0) process.exitCode = 1;
