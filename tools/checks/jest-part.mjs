import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { defaultDirectory, repository } from '../local/directory.mjs';
import { lastLines, runCommand } from '../local/run-command.mjs';
import { filesIn } from '../local/files-in.mjs';
import { partTimeoutMs } from './single-check.mjs';

/** @typedef {import('./test-command.mjs').Outcome} Outcome */

const program = join(repository, 'node_modules/jest/bin/jest.js');
const longestReport = 20_000;

// More files than this do not time out because of a busy machine.
const mostFilesAgain = 3;

// A time-out of a test or hook of jest, or of a condition of `eventually`.
const timeOut = /^(?:thrown: )?"?Exceeded timeout of \d+ ms for a |^(?:\w*Error: )?Timed out after \d+ ms: /;

/**
 * Returns the part that runs one project of jest.config.cjs.
 *
 * With `again`, at most three files that failed only by time-outs are repeated once, sequentially and alone. A failed
 * assertion is never repeated. A file that then passes is reported as unsteady, because its time-out is too short or it
 * has a race.
 * @param {string} project
 * @param {RegExp} pattern matches the names of its test files
 * @param {string[]} folders that contain the test files
 * @param {{ more?: string[], again?: boolean }} [options] `more` is a list of further arguments
 * @returns {import('./parts.mjs').Part['run']}
 */
export function jestPart(project, pattern, folders, { more = [], again = false } = {}) {
  return async (note, shard) => {
    const hasTests = (/** @type {string} */ name) =>
      filesIn(join(repository, name)).some((path) => pattern.test(path));
    // The share of a machine may be empty.
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
  // A test that leaves a socket open would keep jest running, so jest exits after the last test.
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
 * Whether all failures of a run are time-outs.
 * @param {any} result JSON output of jest
 */
export function timedOutOnly(result) {
  const failures = result.testResults.flatMap(({ name, status, message, assertionResults }) => {
    const failed = assertionResults.filter((/** @type {any} */ test) => test.status !== 'passed');
    if (failed.length > 0) return failed.map((/** @type {any} */ test) => test.failureMessages);
    // The file failed outside its tests.
    return status === 'failed' ? [[`${name}: ${message}`]] : [];
  });
  return failures.every(
    (/** @type {string[]} */ messages) => messages.length > 0 && messages.every((text) => timeOut.test(text)),
  );
}

/**
 * Returns the first result, with the second result of the files that were repeated.
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
 * Counts everything except passed tests as failed: a skipped test, a test without a body, a file that cannot run.
 * @param {any} result JSON output of jest
 * @param {{ code: number | null, output: string, hasTests: boolean }} run
 * @returns {Outcome}
 */
export function countResult(result, { code, output, hasTests }) {
  const passed = result.numPassedTests;
  const reports = result.testResults.flatMap(reportFile);
  if (hasTests && passed + reports.length === 0) reports.push(`No test was run.\n${lastLines(output, 40)}`);
  // The failure is outside the tests, for example in the servers that they need.
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
  // All tests passed, but the file failed after them.
  if (status === 'failed' && reports.length === 0) reports.push(`${path} failed\n${lastLines(message, 40)}`);
  return reports;
}
