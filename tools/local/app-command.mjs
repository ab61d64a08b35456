import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { appEnvironment, appProgram } from './apps.mjs';
import { defaultDirectory, Directory } from './directory.mjs';
import { flag, readOptions, text } from './options.mjs';
import { ensurePasswords } from './passwords.mjs';
import { describeError, Problem } from './problem.mjs';

/**
 * Runs a program of an app while the sandbox runs, with the app's own settings and the arguments of this process.
 * @param {string} app
 * @param {string} program such as `rebuild`
 * @param {{ names?: string[], flags?: string[] }} options of the program; `names` have a value, `flags` have none
 * @returns {Promise<boolean>} whether it succeeded
 */
export async function runAppCommand(app, program, { names = [], flags = [] }) {
  const declared = [...names.map((name) => [name, text()]), ...flags.map((name) => [name, flag])];
  const given = readOptions({ ...Object.fromEntries(declared), directory: text() }, { words: Infinity });
  try {
    const args = withoutDirectory(process.argv.slice(2));
    const path = given.values.directory ?? defaultDirectory;
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

/** Returns the arguments of the program. @param {string[]} args */
function withoutDirectory(args) {
  const at = args.findIndex((argument) => /^--directory(?:=|$)/.test(argument));
  return at < 0 ? args : args.toSpliced(at, args[at] === '--directory' ? 2 : 1);
}
