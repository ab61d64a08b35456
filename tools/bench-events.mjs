// Measures the event streams of one gateway process: resident memory of open streams, and the time of a change to them:
// npm run bench:events [-- --streams N --changes N --json FILE --strict]
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { measureEvents } from '../bench/events/run.mjs';
import { repository } from './local/directory.mjs';

// 60 MB for the 5,000 streams of a gateway.
const mostKbPerStream = (60 * 1_024) / 5_000;
const directory = join(repository, '.tollbridge', 'bench-events');
const { values } = parseArgs({
  options: {
    streams: { type: 'string', default: '5000' },
    changes: { type: 'string', default: '5' },
    json: { type: 'string', default: join(directory, 'result.json') },
    strict: { type: 'boolean', default: false },
  },
});
const print = (line = '') => process.stdout.write(`${line}\n`);
const result = await measureEvents({
  directory: join(directory, 'data'),
  streams: wholeNumber('streams'),
  changes: wholeNumber('changes'),
  print,
});
const { streams, beforeMb, peakMb, openMb, kbPerStream, fanOut } = result;
print(
  `\ngateway: ${beforeMb.toFixed(0)} MB, with ${streams} streams of as many orders ${openMb.toFixed(0)} MB ` +
    `(${peakMb.toFixed(0)} MB just after they opened): ${kbPerStream.toFixed(1)} KB a stream`,
);
print('\nms from the change   streams     first    median      last');
for (const row of fanOut) {
  const times = [row.firstMs, row.medianMs, row.lastMs].map((ms) => ms.toFixed(1).padStart(10));
  print(`${' '.repeat(18)}${String(row.streams).padStart(10)}${times.join('')}`);
}
mkdirSync(dirname(values.json), { recursive: true });
writeFileSync(values.json, `${JSON.stringify(result, null, 2)}\n`);
const isMissed = kbPerStream > mostKbPerStream;
if (isMissed) print(`more than ${mostKbPerStream.toFixed(1)} KB a stream`);
if (values.strict && isMissed) process.exitCode = 1;

function wholeNumber(name) {
  const value = Number(values[name]);
  if (!Number.isSafeInteger(value) || value < 1) throw new Error(`--${name} must be a whole number above 0`);
  return value;
}
