// Measures what open orders cost the nodes of each chain: requests, polls and blocks a minute, without and with open orders:
// npm run bench:polls [-- --orders N --seconds N --json FILE --strict]
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { measurePolls } from '../bench/polls/run.mjs';
import { repository } from './local/directory.mjs';

// One poll a block; the local chains take a few percent longer than a second for a block.
const mostPollsPerBlock = 1.1;
const { values } = parseArgs({
  options: {
    orders: { type: 'string', default: '500' },
    seconds: { type: 'string', default: '60' },
    json: { type: 'string', default: join(repository, '.tollbridge', 'bench-polls.json') },
    strict: { type: 'boolean', default: false },
  },
});
const [orders, seconds] = [wholeNumber('orders'), wholeNumber('seconds')];
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

function wholeNumber(name) {
  const value = Number(values[name]);
  if (!Number.isSafeInteger(value) || value < 1) throw new Error(`--${name} must be a whole number above 0`);
  return value;
}
