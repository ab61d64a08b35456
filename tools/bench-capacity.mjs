// Measures the processor time of requests by process: npm run bench:capacity [-- --seconds N]
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { repository } from './local/directory.mjs';
import { prepare } from './local/prepare.mjs';
import { runSandbox } from './local/run-sandbox.mjs';

const { values } = parseArgs({ options: { seconds: { type: 'string', default: '20' } } });
const seconds = Number(values.seconds);
if (!(seconds > 0)) throw new Error('--seconds must be a number above 0');
await prepare({ builds: true });
const { capacities, printCapacities } = await import('../bench/capacity.mjs');
const { state, stop } = await runSandbox({ directory: join(repository, '.tollbridge', 'bench-capacity') });
try {
  printCapacities(await capacities(state, seconds), (line) => process.stdout.write(`${line}\n`));
} finally {
  await stop();
}
