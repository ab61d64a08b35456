// Runs the tests with Node.js 24, the version of the images:
// npm run test:node24 [-- arguments of npm test | script.mjs arguments]
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { delimiter, dirname } from 'node:path';
import { readParts } from './checks/test-command.mjs';
import { repository } from './local/directory.mjs';
import { ensureNode24 } from './local/node-24.mjs';
import { readOptions } from './local/options.mjs';
import { describeError, exitCodeOf } from './local/problem.mjs';

try {
  const given = process.argv.slice(2);
  const isScript = given[0]?.endsWith('.mjs') || given[0]?.endsWith('.js');
  // Reports mistakes in the arguments before anything is downloaded.
  if (!isScript && given.includes('--help')) readOptions({});
  if (!isScript) readParts(given);
  const program = await ensureNode24((text) => console.log(`  ${text}`));
  const args = isScript ? given : ['tools/test.mjs', ...given];
  // Programs that begin with `#!/usr/bin/env node` use the first Node.js in the PATH.
  const env = { ...process.env, PATH: `${dirname(program)}${delimiter}${process.env.PATH ?? ''}` };
  const child = spawn(program, args, { cwd: repository, env, stdio: 'inherit' });
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal));
  const [code] = await once(child, 'exit');
  process.exitCode = code ?? 1;
} catch (error) {
  console.error(`\n  ${describeError(error)}\n`);
  process.exitCode = exitCodeOf(error);
}
