// Measures the cost of an idle sandbox:
// npm run bench:idle [-- --seconds N --rest N --mode processes|all-in-one --json FILE --strict]
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isServer, processorShares, residentMb, sumOf } from './bench/idle-figures.mjs';
import { repository } from './local/directory.mjs';
import { prepareMeasurement } from './local/measurement.mjs';
import { flag, oneOf, positive, readOptions, text } from './local/options.mjs';
import { runSandbox } from './local/run-sandbox.mjs';

const directory = join(repository, '.tollbridge', 'bench-idle');
// Limits: percent of a core for all apps together, and MB for the largest app.
const modes = {
  processes: { isOneProcess: false, mostPercent: 5, mostMb: 150 },
  'all-in-one': { isOneProcess: true, mostPercent: 3, mostMb: undefined },
};
const { values } = readOptions({
  seconds: positive(60),
  rest: positive(140),
  mode: oneOf(Object.keys(modes)),
  json: text(join(directory, 'result.json')),
  strict: flag,
});
const { seconds, rest: restSeconds } = values;
const wanted = Object.entries(modes).filter(([name]) => [undefined, name].includes(values.mode));
await prepareMeasurement();

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
