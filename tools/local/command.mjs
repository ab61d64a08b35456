import { argumentMistake, describeError, exitCodeOf, isArgumentError, TypingMistake } from './problem.mjs';

/**
 * Runs a command that people type. A mistake prints one sentence and the usage, with exit code 2. `--help` prints only
 * the usage.
 * @param {string} usage
 * @param {() => void | Promise<void>} work throws a `TypingMistake`, or a `Problem` for other correctable errors
 */
export async function runTypedCommand(usage, work) {
  if (process.argv.slice(2).includes('--help')) return void process.stdout.write(`${usage}\n`);
  try {
    await work();
  } catch (error) {
    const shown = isArgumentError(error) ? new TypingMistake(argumentMistake(error)) : error;
    const about = shown instanceof TypingMistake ? `\n${usage}\n` : '';
    process.stderr.write(`\n  ${describeError(shown)}\n${about}`);
    process.exitCode = exitCodeOf(shown);
  }
}
