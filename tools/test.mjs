// Installs, builds and runs every test:
// npm test [-- --only lint,types,tools,unit,contracts,int,e2e,drills | -- --changed [commit]]
import { checkNodeVersion } from './local/node-version.mjs';
import { describeError, exitCodeOf } from './local/problem.mjs';

try {
  checkNodeVersion();
  const { test } = await import('./checks/test-command.mjs');
  process.exitCode = await test(process.argv.slice(2));
} catch (error) {
  // The last line is always the result.
  console.log(`\n  ${describeError(error)}\n\n0 passed, 1 failed`);
  process.exitCode = exitCodeOf(error);
}
