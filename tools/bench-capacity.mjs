// Measures the processor time of requests by process: npm run bench:capacity [-- --seconds N]
import { join } from 'node:path';
import { repository } from './local/directory.mjs';
import { prepareMeasurement } from './local/measurement.mjs';
import { positive, readOptions } from './local/options.mjs';
import { runSandbox } from './local/run-sandbox.mjs';

const { seconds } = readOptions({ seconds: positive(20) }).values;
await prepareMeasurement();
const { capacities, printCapacities } = await import('./bench/capacity.mjs');
const { state, stop } = await runSandbox({ directory: join(repository, '.tollbridge', 'bench-capacity') });
try {
  printCapacities(await capacities(state, seconds), (line) => process.stdout.write(`${line}\n`));
} finally {
  await stop();
}
