import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { defaultDirectory, repository } from '../local/directory.mjs';
import { lastLines, runCommand } from '../local/run-command.mjs';
import { filesIn } from '../local/files-in.mjs';
import { partTimeoutMs } from './single-check.mjs';

/** @typedef {import('./test-command.mjs').Outcome} Outcome */

const program = join(repository, 'node_modules/jest/bin/jest.js');
const longestReport = 20_000;

/**
 * One project of jest.config.cjs.
 * @param {string} project
 * @param {RegExp} pattern the names of its test files
 * @param {string[]} folders where they are
 * @param {string[]} [more] arguments
 * @returns {(note: (text: string) => void) => Promise<Outcome>}
 */
export function jestPart(project, pattern, folders, more = []) {
  return async (note) => {
    const folder = join(defaultDirectory, 'test-results');
    const file = join(folder, `${project}.json`);
    mkdirSync(folder, { recursive: true });
    rmSync(file, { force: true });
    // A test that leaves a socket open would keep jest, and whoever waits for it, for ever: it ends after the last test.
    const ending = ['--ci', '--passWithNoTests', '--forceExit'];
    const args = [program, '--selectProjects', project, '--json', `--outputFile=${file}`, ...ending, ...more];
    const hasTests = (/** @type {string} */ name) =>
      filesIn(join(repository, name)).some((path) => pattern.test(path));
    let done = 0;
    const onLine = (/** @type {string} */ line) => /^(PASS|FAIL) /.test(line) && note(`${++done} files`);
    const env = { ...process.env, FORCE_COLOR: '0' };
    const options = { cwd: repository, env, onLine, timeoutMs: partTimeoutMs };
    const { code, output } = await runCommand(process.execPath, args, options);
    const result = readResult(file);
    if (!result) return { passed: 0, failed: 1, report: lastLines(output, 60) };
    return countResult(result, { code, output, hasTests: folders.some(hasTests) });
  };
}

/** @param {string} file */
function readResult(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
}

/**
 * Anything but a passed test is a failure: one that was skipped or is still to be written, and a file that does not run.
 * @param {any} result what jest writes with --json
 * @param {{ code: number | null, output: string, hasTests: boolean }} run
 * @returns {Outcome}
 */
export function countResult(result, { code, output, hasTests }) {
  const passed = result.numPassedTests;
  const reports = result.testResults.flatMap(reportFile);
  if (hasTests && passed + reports.length === 0) reports.push(`No test was run.\n${lastLines(output, 40)}`);
  // Something outside the tests, such as the servers that they need.
  else if (code !== 0 && reports.length === 0) reports.push(lastLines(output, 60));
  return { passed, failed: reports.length, report: reports.join('\n\n').slice(0, longestReport) };
}

/** @param {any} file */
function reportFile({ name, message, status, assertionResults }) {
  const path = name.replace(`${repository}/`, '');
  if (status === 'failed' && assertionResults.length === 0)
    return [`${path} does not run\n${lastLines(message, 40)}`];
  const failed = assertionResults.filter((/** @type {any} */ test) => test.status !== 'passed');
  const reports = failed.map(
    (/** @type {any} */ test) =>
      `${path} › ${test.fullName} (${test.status})\n${test.failureMessages.join('\n')}`,
  );
  // All tests passed, and the file failed after them.
  if (status === 'failed' && reports.length === 0) reports.push(`${path} failed\n${lastLines(message, 40)}`);
  return reports;
}
