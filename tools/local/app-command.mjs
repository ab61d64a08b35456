import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { appEnvironment, appProgram } from './apps.mjs';
import { defaultDirectory, Directory } from './directory.mjs';
import { ensurePasswords } from './passwords.mjs';
import { describeError, Problem } from './problem.mjs';

/**
 * Runs a program of an app beside the running sandbox, with the app's own settings and the arguments of this process.
 * @param {string} app
 * @param {string} program such as `rebuild`
 * @returns {Promise<boolean>} whether it succeeded
 */
export async function runAppCommand(app, program) {
  try {
    const { path, args } = readArguments(process.argv.slice(2));
    const directory = new Directory(path);
    const state = directory.readJson('state.json');
    if (!state?.ready) throw new Problem('Tollbridge is not running here. Start it first: npm start');
    const { ports, gateway } = state;
    const gatewayPort = Number(new URL(gateway).port);
    const setup = { directory, passwords: ensurePasswords(directory), ports, gatewayPort };
    const child = spawn(process.execPath, [appProgram(app, program), ...args], {
      env: appEnvironment(setup, [app]),
      stdio: 'inherit',
    });
    const [code] = await once(child, 'exit');
    if (code !== 0) process.exitCode = code ?? 1;
    return code === 0;
  } catch (error) {
    console.error(`\n  ${describeError(error)}\n`);
    process.exitCode = 1;
    return false;
  }
}

/** The folder of the sandbox, and the arguments of the program. @param {string[]} args */
function readArguments(args) {
  const at = args.indexOf('--directory');
  if (at < 0) return { path: defaultDirectory, args };
  const path = args[at + 1];
  if (!path) throw new Problem('--directory needs the folder of a sandbox.');
  return { path, args: args.toSpliced(at, 2) };
}
