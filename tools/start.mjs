// Installs, builds and runs Tollbridge on this machine: npm start [-- --help]
import { checkNodeVersion } from './local/node-version.mjs';
import { describeError, exitCodeOf } from './local/problem.mjs';

try {
  // Checked before the other imports, because an older Node may not even be able to parse them.
  checkNodeVersion();
  const { start } = await import('./local/start-process.mjs');
  await start(process.argv.slice(2));
} catch (error) {
  console.error(`\n  ${describeError(error)}\n`);
  process.exit(exitCodeOf(error));
}
