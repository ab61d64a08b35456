// Opens checkout pages in one real browser, pays them all, and measures when each shows it:
// npm run bench:pages [-- --pages N --json FILE --strict]
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { measurePages } from '../bench/pages/run.mjs';
import { repository } from './local/directory.mjs';

// Two blocks of the local chain and a second of the page.
const longestMs = 5_000;
const directory = join(repository, '.tollbridge', 'bench-pages');
const { values } = parseArgs({
  options: {
    pages: { type: 'string', default: '200' },
    json: { type: 'string', default: join(directory, 'result.json') },
    strict: { type: 'boolean', default: false },
  },
});
const pages = Number(values.pages);
if (!Number.isSafeInteger(pages) || pages < 1) throw new Error('--pages must be a whole number above 0');
const print = (line = '') => process.stdout.write(`${line}\n`);
const result = await measurePages({ directory: join(directory, 'data'), pages, print });
const { openedS, gatewayMb, medianMs, lastMs, faults } = result;
print(
  `\n${pages} pages opened in ${openedS.toFixed(0)} s; the gateway takes ${gatewayMb.toFixed(0)} MB with them`,
);
print(`from a transaction to its page: median ${medianMs.toFixed(0)} ms, last ${lastMs.toFixed(0)} ms`);
for (const fault of new Set(faults)) print(`on a page: ${fault}`);
mkdirSync(dirname(values.json), { recursive: true });
writeFileSync(values.json, `${JSON.stringify(result, null, 2)}\n`);
if (values.strict && (faults.length > 0 || lastMs > longestMs)) process.exitCode = 1;
