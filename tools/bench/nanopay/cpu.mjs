// Processor time of one payment by process (Linux). Run npm run build first.
//
// node tools/bench/nanopay/cpu.mjs [x64 | 1000] [seconds] [MODE], whole by default
//
// `x64` keeps 64 calls in progress, `1000` sends 1,000 per second. The mode `bus` uses NATS, `chains` pays with
// hash-chain links, `channels` by channels. `unwritten`, `unchecked` and `empty` disable required steps of the payment
// ledger to show their cost: commits, signature checks, or both with receipt signatures.
import { readdirSync, readFileSync } from 'node:fs';
import { makeBuyers } from './buyers.mjs';
import { ourChainSeller, ourChannelSeller, ourSeller } from './our-seller.mjs';
import { sellerRows } from './seller-rows.mjs';

const rounds = 3;
const warmUpSeconds = 2;
// Microseconds per tick of /proc/<pid>/stat.
const tickUs = 10_000;
const parts = [
  ['seller', /our-server/],
  ['payment ledger', /apps\/tee\/dist/],
  ['PostgreSQL', /postgres/],
  ['NATS', /nats-server/],
  ['load with its signing', /nanopay\/cpu\.mjs/],
];

const sellers = {
  whole: (buyers) => ourSeller(buyers, 'tcp'),
  bus: (buyers) => ourSeller(buyers, 'bus'),
  chains: ourChainSeller,
  channels: ourChannelSeller,
  unwritten: (buyers) => ourSeller(buyers, 'tcp', ['commits']),
  unchecked: (buyers) => ourSeller(buyers, 'tcp', ['checks']),
  empty: (buyers) => ourSeller(buyers, 'tcp', ['commits', 'checks', 'receipts']),
};

const [wanted = 'x64', seconds = '4', ledgerSteps = 'whole'] = process.argv.slice(2);
const load = wanted.startsWith('x')
  ? { inFlight: Number(wanted.slice(1)) }
  : { ratePerSecond: Number(wanted) };

/** Returns the processor time of each part so far, in ticks. */
function usedTicks() {
  const used = new Map(parts.map(([name]) => [name, 0]));
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    const [stat, command] = [textOf(`/proc/${pid}/stat`), textOf(`/proc/${pid}/cmdline`)];
    const [name] = parts.find(([, pattern]) => pattern.test(command)) ?? [];
    if (name === undefined || stat === '') continue;
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    used.set(name, used.get(name) + Number(fields[11]) + Number(fields[12]));
  }
  return used;
}

/** Returns an empty text for a process that has ended. */
function textOf(path) {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

const endings = [];
try {
  const buyers = makeBuyers();
  const seller = sellers[ledgerSteps](buyers);
  const rows = sellerRows(seller, null, (stop) => endings.unshift(stop));
  const run = await rows.find(({ name }) => name.endsWith(': paid')).start();
  await run(load, warmUpSeconds);
  for (let round = 0; round < rounds; round++) {
    const before = usedTicks();
    const { rate, p50, p99 } = await run(load, Number(seconds));
    const after = usedTicks();
    const costs = parts.map(([name]) => {
      const micros = ((after.get(name) - before.get(name)) * tickUs) / (rate * Number(seconds));
      return `${name} ${Math.round(micros)}`;
    });
    const times = `${Math.round(rate)}/s, p50 ${p50.toFixed(2)} ms, p99 ${p99.toFixed(2)} ms`;
    process.stdout.write(`${times}; us a payment: ${costs.join(', ')}\n`);
  }
} finally {
  for (const stop of endings) await stop();
}
process.exit();
