import { join } from 'node:path';
import { repository } from '../local/directory.mjs';
import { lastLines, runCommand } from '../local/run-command.mjs';

/** @typedef {import('./test-command.mjs').Outcome} Outcome */

// Longer than every part. Without a limit, a test that never ends would block a pipeline.
export const partTimeoutMs = 30 * 60_000;

const plain = { ...process.env, FORCE_COLOR: '0' };

/**
 * Returns a check that passes when a program exits with code 0.
 * @param {string} program a path, or a name in node_modules/.bin
 * @param {string[]} args
 * @param {{ env?: NodeJS.ProcessEnv }} [options]
 * @returns {() => Promise<Outcome>}
 */
export function singleCheck(program, args, { env = plain } = {}) {
  const path = program.includes('/') ? program : join(repository, 'node_modules/.bin', program);
  return async () => {
    const { code, output } = await runCommand(path, args, { cwd: repository, env, timeoutMs: partTimeoutMs });
    return code === 0
      ? { passed: 1, failed: 0, report: '' }
      : { passed: 0, failed: 1, report: lastLines(output, 60) };
  };
}

/**
 * Returns the part that runs a script with `N passed, N failed` as its last line.
 * @param {string} script
 * @returns {() => Promise<Outcome>}
 */
export function countedPart(script) {
  return async () => {
    const options = { cwd: repository, env: plain, timeoutMs: partTimeoutMs };
    const { code, output } = await runCommand(process.execPath, [join(repository, script)], options);
    const [, passed, failed] =
      /^(\d+) passed, (\d+) failed$/.exec(output.trimEnd().split('\n').at(-1) ?? '') ?? [];
    if (passed === undefined || Number(passed) + Number(failed) === 0)
      return { passed: 0, failed: 1, report: lastLines(output, 60) };
    // A script that fails without a counted failure has failed outside its tests.
    const uncounted = code !== 0 && Number(failed) === 0 ? 1 : 0;
    return { passed: Number(passed), failed: Number(failed) + uncounted, report: failuresOf(output) };
  };
}

/** @param {string} output */
function failuresOf(output) {
  const lines = output.split('\n').filter((line) => !/^ok /.test(line));
  return lastLines(lines.join('\n'), 80);
}
