import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { defaultDirectory, repository } from '../local/directory.mjs';
import { filesIn } from '../local/files-in.mjs';
import { lastLines, runCommand } from '../local/run-command.mjs';
import { partTimeoutMs } from './single-check.mjs';

/**
 * Returns the part that runs the tests of the tools and of the bench with Node's test runner.
 * @param {string[]} [chosen] paths of tests, by default all
 * @returns {import('./parts.mjs').Part['run']}
 */
export function nodeTestPart(chosen) {
  return async (_note, { index, count } = { index: 1, count: 1 }) => {
    const folder = join(defaultDirectory, 'test-results');
    const summary = join(folder, 'tools.tap');
    mkdirSync(folder, { recursive: true });
    rmSync(summary, { force: true });
    const reporters = ['spec', 'stdout', 'tap', summary].flatMap((value, index) =>
      index % 2 === 0 ? [`--test-reporter=${value}`] : [`--test-reporter-destination=${value}`],
    );
    const files = (chosen ?? allTests()).filter((_, at) => at % count === index - 1);
    if (files.length === 0) return { passed: 0, failed: 0, report: '' };
    const options = { cwd: repository, env: { ...process.env, FORCE_COLOR: '0' }, timeoutMs: partTimeoutMs };
    // Some tests wait for servers most of the time.
    const concurrency = `--test-concurrency=${availableParallelism()}`;
    const args = ['--test', concurrency, ...reporters, ...files];
    const { code, output } = await runCommand(process.execPath, args, options);
    return countSummary(readFileSync(summary, 'utf8'), { code, output });
  };
}

const allTests = () => filesIn(join(repository, 'tools')).filter((path) => path.endsWith('.test.mjs'));

/**
 * @param {string} summary TAP output, which ends with the counts
 * @param {{ code: number | null, output: string }} run
 */
export function countSummary(summary, { code, output }) {
  const count = (/** @type {string} */ name) =>
    Number(new RegExp(`^# ${name} (\\d+)$`, 'm').exec(summary)?.[1] ?? 0);
  const passed = count('pass');
  const counted = count('fail') + count('cancelled') + count('skipped') + count('todo');
  const uncounted = counted === 0 && (code !== 0 || passed === 0) ? 1 : 0;
  // A file that cannot load reports the reason in its output, so only lines of passed tests are removed.
  const failures = output.split('\n').filter((line) => !/^\s*(✔|▶|ℹ) /.test(line));
  const failed = counted + uncounted;
  return { passed, failed, report: failed > 0 ? lastLines(failures.join('\n'), 120) : '' };
}
