// Measures the cost of an idle sandbox:
// npm run bench:idle [-- --seconds N --rest N --mode processes|all-in-one --json FILE --strict]
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { isServer, processorShares, residentMb, sumOf } from '../bench/idle-figures.mjs';
import { repository } from './local/directory.mjs';
import { runSandbox } from './local/run-sandbox.mjs';

const directory = join(repository, '.tollbridge', 'bench-idle');
const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '60' },
    rest: { type: 'string', default: '140' },
    mode: { type: 'string', default: '' },
    json: { type: 'string', default: join(directory, 'result.json') },
    strict: { type: 'boolean', default: false },
  },
});
const seconds = positive('seconds');
const restSeconds = positive('rest');

// Percent of a core for all apps together; MB for the largest of them.
const modes = {
  processes: { isOneProcess: false, mostPercent: 5, mostMb: 150 },
  'all-in-one': { isOneProcess: true, mostPercent: 3, mostMb: undefined },
};
const wanted = Object.entries(modes).filter(([name]) => values.mode === '' || values.mode === name);
if (wanted.length === 0) throw new Error(`--mode must be one of ${Object.keys(modes).join(', ')}`);

const print = (line = '') => process.stdout.write(`${line}\n`);
const result = [];
for (const [mode, bounds] of wanted) {
  print(`Starting a sandbox, ${mode} …`);
  result.push({ mode, ...bounds, ...(await measure(bounds.isOneProcess)) });
}
for (const each of result) printMode(each);
mkdirSync(dirname(values.json), { recursive: true });
writeFileSync(values.json, `${JSON.stringify({ seconds, restSeconds, result }, null, 2)}\n`);
if (values.strict && result.some(isMissed)) process.exitCode = 1;

async function measure(isOneProcess) {
  const { state, stop } = await runSandbox({ directory: join(directory, 'data'), isOneProcess });
  try {
    await sleep(restSeconds * 1_000);
    const shares = await processorShares(state.pids, seconds);
    const memory = residentMb(state.pids);
    const processes = Object.keys(shares).map((name) => ({
      name,
      isServer: isServer(name),
      percent: shares[name],
      residentMb: memory[name],
    }));
    const ofApps = processes.filter((each) => !each.isServer);
    return {
      processes,
      appsPercent: sumOf(ofApps.map(({ percent }) => percent)),
      largestMb: Math.max(...ofApps.map((each) => each.residentMb)),
    };
  } finally {
    await stop();
  }
}

function printMode({ mode, mostPercent, mostMb, processes, appsPercent, largestMb }) {
  print(`\n${mode}: ${seconds} s after ${restSeconds} s of rest; % of a core, resident MB\n`);
  const line = (name, percent, mb) =>
    print(`${name.padEnd(22)}${percent.toFixed(2).padStart(8)}${mb.toFixed(0).padStart(8)}`);
  for (const apps of [true, false])
    for (const each of processes.filter((it) => it.isServer !== apps))
      line(each.name, each.percent, each.residentMb);
  print(`\nall apps ${appsPercent.toFixed(2)} % of a core, at most ${mostPercent} %`);
  if (mostMb !== undefined) print(`largest app ${largestMb.toFixed(0)} MB, at most ${mostMb} MB`);
}

function isMissed({ appsPercent, largestMb, mostPercent, mostMb = Infinity }) {
  return appsPercent > mostPercent || largestMb > mostMb;
}

function positive(name) {
  const value = Number(values[name]);
  if (!(value > 0)) throw new Error(`--${name} must be a number above 0`);
  return value;
}
