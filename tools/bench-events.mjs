// Measures the event streams of one gateway process: resident memory of open streams, and the time of an order change.
//
// npm run bench:events [-- --streams N --changes N --json FILE --strict]
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { repository } from './local/directory.mjs';
import { prepareMeasurement } from './local/measurement.mjs';
import { flag, readOptions, text, wholeNumber } from './local/options.mjs';

// A gateway may use 60 MB for 5,000 streams.
const mostKbPerStream = (60 * 1_024) / 5_000;
const directory = join(repository, '.tollbridge', 'bench-events');
const { values } = readOptions({
  streams: wholeNumber(5_000),
  changes: wholeNumber(5),
  json: text(join(directory, 'result.json')),
  strict: flag,
});
await prepareMeasurement();
// Imported here, because in a fresh clone the packages must be installed first.
const { measureEvents } = await import('./bench/events/run.mjs');
const print = (line = '') => process.stdout.write(`${line}\n`);
const result = await measureEvents({
  directory: join(directory, 'data'),
  streams: values.streams,
  changes: values.changes,
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
