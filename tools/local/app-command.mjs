import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { parseArgs } from 'node:util';
import { appEnvironment, appProgram } from './apps.mjs';
import { defaultDirectory, Directory } from './directory.mjs';
import { ensurePasswords } from './passwords.mjs';
import { describeError, Problem } from './problem.mjs';

/**
 * Runs a program of an app beside the running sandbox, with the app's own settings and the arguments of this process.
 * @param {string} app
 * @param {string} program such as `rebuild`
 */
export async function runAppCommand(app, program) {
  try {
    const { values, positionals } = parseArgs({
      options: { directory: { type: 'string', default: defaultDirectory } },
      allowPositionals: true,
    });
    const directory = new Directory(values.directory);
    const state = directory.readJson('state.json');
    if (!state?.ready) throw new Problem('Tollbridge is not running here. Start it first: npm start');
    const { ports, gateway } = state;
    const gatewayPort = Number(new URL(gateway).port);
    const setup = { directory, passwords: ensurePasswords(directory), ports, gatewayPort };
    const child = spawn(process.execPath, [appProgram(app, program), ...positionals], {
      env: appEnvironment(setup, [app]),
      stdio: 'inherit',
    });
    const [code] = await once(child, 'exit');
    process.exitCode = code ?? 1;
  } catch (error) {
    console.error(`\n  ${describeError(error)}\n`);
    process.exitCode = 1;
  }
}
