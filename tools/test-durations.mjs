import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { defaultDirectory, repository } from './local/directory.mjs';

// Shorter files do not affect when a run ends.
const leastSeconds = 5;

/** Stores the durations of the files in the last complete `npm test`, which determine the order of later runs. */
const entries = ['unit', 'int', 'e2e'].flatMap((part) => {
  const { testResults } = JSON.parse(
    readFileSync(join(defaultDirectory, `test-results/${part}.json`), 'utf8'),
  );
  return testResults.map((/** @type {any} */ { name, startTime, endTime }) => [
    name.slice(repository.length + 1),
    Math.round((endTime - startTime) / 1000),
  ]);
});
const longest = entries
  .filter(([, seconds]) => seconds >= leastSeconds)
  .sort((one, other) => other[1] - one[1]);
writeFileSync(
  join(repository, 'tools/checks/durations.json'),
  `${JSON.stringify(Object.fromEntries(longest), null, 2)}\n`,
);
console.log(`${longest.length} files of ${leastSeconds} s and more.`);
