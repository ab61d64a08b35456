// Sets everything up and runs Tollbridge on this machine: npm start [-- --help]
import { checkNodeVersion } from './local/node-version.mjs';
import { describeError, exitCodeOf } from './local/problem.mjs';

try {
  // First, and the rest imported only then: an older Node may not even be able to read it.
  checkNodeVersion();
  const { start } = await import('./local/start-process.mjs');
  await start(process.argv.slice(2));
} catch (error) {
  console.error(`\n  ${describeError(error)}\n`);
  process.exit(exitCodeOf(error));
}
