import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { defaultDirectory, repository } from '../local/directory.mjs';
import { lastLines, runCommand } from '../local/run-command.mjs';
import { filesIn } from '../local/files-in.mjs';
import { partTimeoutMs } from './single-check.mjs';

/** @typedef {import('./test-command.mjs').Outcome} Outcome */

const program = join(repository, 'node_modules/jest/bin/jest.js');
const longestReport = 20_000;

// More files than this time out for another reason than a busy machine.
const mostFilesAgain = 3;

// A test or hook of jest that took too long; a condition of `eventually` that was not met in time.
const timeOut = /^(?:thrown: )?"?Exceeded timeout of \d+ ms for a |^(?:\w*Error: )?Timed out after \d+ ms: /;

/**
 * One project of jest.config.cjs.
 *
 * With `again`, at most three files that failed by time-outs alone are run once more. They run one after the other,
 * when nothing else runs. A failed assertion is never run again. A file that passes then is reported as unsteady: it
 * waits too short a time, or has a race.
 * @param {string} project
 * @param {RegExp} pattern the names of its test files
 * @param {string[]} folders where they are
 * @param {{ more?: string[], again?: boolean }} [options] `more` arguments
 * @returns {import('./parts.mjs').Part['run']}
 */
export function jestPart(project, pattern, folders, { more = [], again = false } = {}) {
  return async (note, shard) => {
    const hasTests = (/** @type {string} */ name) =>
      filesIn(join(repository, name)).some((path) => pattern.test(path));
    // A share may be empty.
    const expected = { hasTests: !shard && folders.some(hasTests) };
    const ofShard = shard ? [`--shard=${shard.index}/${shard.count}`] : [];
    const first = await runJest({ project, report: project, more: [...more, ...ofShard], note });
    const outcome = first.result ? countResult(first.result, { ...first, ...expected }) : noResult(first);
    const failed = first.result ? failedFiles(first.result) : [];
    const isBusy = failed.length > 0 && failed.length <= mostFilesAgain && timedOutOnly(first.result);
    if (!again || !isBusy) return outcome;
    note(`${outcome.failed} timed out, once more`);
    const alone = ['--runInBand', '--runTestsByPath', ...failed];
    const second = await runJest({ project, report: `${project}-again`, more: alone, note });
    if (!second.result) return outcome;
    const merged = withSecond(first.result, second.result);
    const final = countResult(merged, { code: second.code, output: second.output, ...expected });
    return final.failed > 0 ? final : { ...final, unsteady: outcome.report };
  };
}

/** @param {{ project: string, report: string, more: string[], note: (text: string) => void }} run */
async function runJest({ project, report, more, note }) {
  const folder = join(defaultDirectory, 'test-results');
  const file = join(folder, `${report}.json`);
  mkdirSync(folder, { recursive: true });
  rmSync(file, { force: true });
  // A test that leaves a socket open would keep jest running for ever: it ends after the last test.
  const ending = ['--ci', '--passWithNoTests', '--forceExit'];
  const args = [program, '--selectProjects', project, '--json', `--outputFile=${file}`, ...ending, ...more];
  let done = 0;
  const onLine = (/** @type {string} */ line) => /^(PASS|FAIL) /.test(line) && note(`${++done} files`);
  const env = { ...process.env, FORCE_COLOR: '0' };
  const options = { cwd: repository, env, onLine, timeoutMs: partTimeoutMs };
  const { code, output } = await runCommand(process.execPath, args, options);
  return { code, output, result: readResult(file) };
}

/** @param {{ output: string }} run @returns {Outcome} */
const noResult = ({ output }) => ({ passed: 0, failed: 1, report: lastLines(output, 60) });

/** @param {any} result @returns {string[]} paths */
const failedFiles = (result) =>
  result.testResults
    .filter((/** @type {any} */ file) => reportFile(file).length > 0)
    .map((/** @type {any} */ file) => file.name);

/**
 * Whether every failure of a run is a time-out.
 * @param {any} result what jest writes with --json
 */
export function timedOutOnly(result) {
  const failures = result.testResults.flatMap(({ name, status, message, assertionResults }) => {
    const failed = assertionResults.filter((/** @type {any} */ test) => test.status !== 'passed');
    if (failed.length > 0) return failed.map((/** @type {any} */ test) => test.failureMessages);
    // The file failed outside of its tests.
    return status === 'failed' ? [[`${name}: ${message}`]] : [];
  });
  return failures.every(
    (/** @type {string[]} */ messages) => messages.length > 0 && messages.every((text) => timeOut.test(text)),
  );
}

/**
 * The first result, with what the second says of the files that it ran.
 * @param {any} first @param {any} second
 */
export function withSecond(first, second) {
  const again = new Map(second.testResults.map((/** @type {any} */ file) => [file.name, file]));
  const testResults = first.testResults.map((/** @type {any} */ file) => again.get(file.name) ?? file);
  const tests = testResults.flatMap((/** @type {any} */ file) => file.assertionResults);
  const numPassedTests = tests.filter((/** @type {any} */ test) => test.status === 'passed').length;
  return { numPassedTests, testResults };
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
 * Anything but a passed test is a failure: a skipped test, a test without a body, a file that does not run.
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
