import { argumentMistake, describeError, Problem } from './problem.mjs';

/**
 * Runs a command that people type: a mistake gets one sentence and the usage, and exit code 1; `--help` the usage alone.
 * @param {string} usage
 * @param {() => void | Promise<void>} work throws a `Problem` for what the user can mend
 */
export async function runTypedCommand(usage, work) {
  if (process.argv.slice(2).includes('--help')) return void process.stdout.write(`${usage}\n`);
  try {
    await work();
  } catch (error) {
    const shown = isArgumentError(error) ? new Problem(argumentMistake(error)) : error;
    const about = shown instanceof Problem ? `\n\n${usage}` : '';
    process.stderr.write(`\n  ${describeError(shown)}${about}\n`);
    process.exitCode = 1;
  }
}

/** @param {unknown} error */
const isArgumentError = (error) =>
  error instanceof Error && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS');
