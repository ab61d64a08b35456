import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { countResult, timedOutOnly, withSecond } from './jest-part.mjs';
import { countSummary } from './node-test-part.mjs';
import { stagesOf } from './parts.mjs';
import { TestCommand } from './test-command.mjs';

const run = { code: 0, output: 'the output', hasTests: true };
/** @param {string[]} statuses @param {object} [more] */
const file = (statuses, more) => ({
  name: '/somewhere/a.spec.ts',
  status: statuses.every((status) => status === 'passed') ? 'passed' : 'failed',
  message: 'the message',
  assertionResults: statuses.map((status) => ({ status, fullName: `a ${status} test`, failureMessages: [] })),
  ...more,
});
/** @param {...ReturnType<typeof file>} testResults */
const result = (...testResults) => ({
  numPassedTests: testResults
    .flatMap(({ assertionResults }) => assertionResults)
    .filter(({ status }) => status === 'passed').length,
  testResults,
});

describe('counting the tests of jest', () => {
  it('counts passed tests', () => {
    assert.deepEqual(countResult(result(file(['passed', 'passed'])), run), {
      passed: 2,
      failed: 0,
      report: '',
    });
  });

  for (const status of ['failed', 'pending', 'skipped', 'todo', 'disabled']) {
    it(`counts a ${status} test as failed, and reports its name`, () => {
      const { passed, failed, report } = countResult(result(file(['passed', status])), run);
      assert.deepEqual([passed, failed], [1, 1]);
      assert.match(report, new RegExp(`a.spec.ts › a ${status} test`));
    });
  }

  it('counts a file that cannot run as failed', () => {
    const broken = file([], { status: 'failed' });
    assert.equal(countResult(result(broken, file(['passed'])), run).failed, 1);
  });

  it('counts a file that fails after its tests as failed', () => {
    assert.equal(countResult(result(file(['passed'], { status: 'failed' })), run).failed, 1);
  });

  it('fails when test files exist and no test ran', () => {
    assert.equal(countResult(result(), run).failed, 1);
    assert.equal(countResult(result(), { ...run, hasTests: false }).failed, 0);
  });

  it('fails when jest itself fails', () => {
    assert.equal(countResult(result(file(['passed'])), { ...run, code: 1 }).failed, 1);
  });
});

describe('a second run', () => {
  const failing = (/** @type {string[][]} */ ...messages) =>
    result(
      file([], {
        status: 'failed',
        assertionResults: messages.map((failureMessages) => ({
          status: 'failed',
          fullName: 'a',
          failureMessages,
        })),
      }),
    );
  const timeOuts = [
    'thrown: "Exceeded timeout of 20000 ms for a test.\nAdd a timeout value"',
    'thrown: "Exceeded timeout of 20000 ms for a hook.\nAdd a timeout value"',
    'Error: Timed out after 30000 ms: expect(received).toBe(expected)',
    'JestAssertionError: Timed out after 30000 ms: expect(received).toBe(expected)',
  ];
  const assertion = 'Error: expect(received).toEqual(expected)';

  for (const message of timeOuts)
    it(`repeats a time-out: ${message.slice(0, 40)}`, () => {
      assert.equal(timedOutOnly(failing([message])), true);
    });

  it('does not start when an assertion failed', () => {
    assert.equal(timedOutOnly(failing([timeOuts[0]], [assertion])), false);
    assert.equal(timedOutOnly(failing([timeOuts[0], assertion])), false);
    assert.equal(timedOutOnly(failing([`${assertion} Exceeded timeout of 20000 ms for a test.`])), false);
    assert.equal(timedOutOnly(failing([])), false);
  });

  it('does not start for a file that fails outside its tests', () => {
    assert.equal(timedOutOnly(result(file([], { status: 'failed' }))), false);
    assert.equal(timedOutOnly(result(file(['passed'], { status: 'failed' }))), false);
  });

  const other = { name: '/somewhere/b.spec.ts' };

  it('replaces the results of the repeated files only', () => {
    const first = result(file(['passed', 'failed']), file(['failed'], other));
    const merged = withSecond(first, result(file(['passed', 'passed'])));
    assert.deepEqual([merged.numPassedTests, countResult(merged, run).failed], [2, 1]);
  });

  it('keeps the failure of a file that fails again', () => {
    const first = result(file(['failed']));
    assert.equal(countResult(withSecond(first, first), run).failed, 1);
  });
});

describe("counting the tests of Node's runner", () => {
  /** @param {Record<string, number>} counts */
  const summary = (counts) =>
    Object.entries(counts)
      .map(([name, count]) => `# ${name} ${count}`)
      .join('\n');

  it('counts passed tests', () => {
    assert.deepEqual(countSummary(summary({ pass: 3, fail: 0 }), { code: 0, output: '' }), {
      passed: 3,
      failed: 0,
      report: '',
    });
  });

  it('counts every test that did not pass as failed', () => {
    const counts = summary({ pass: 3, fail: 1, cancelled: 1, skipped: 1, todo: 1 });
    assert.equal(countSummary(counts, { code: 1, output: '' }).failed, 4);
  });

  it('fails when no test ran, or the runner failed', () => {
    assert.equal(countSummary(summary({ pass: 0 }), { code: 0, output: '' }).failed, 1);
    assert.equal(countSummary(summary({ pass: 3 }), { code: 1, output: '' }).failed, 1);
  });
});

describe('the parts of a test run', () => {
  /** @param {string} name @param {boolean} [sharesCores] */
  const part = (name, sharesCores) => ({
    name,
    usedBy: [name],
    run: async () => ({ passed: 1, failed: 0, report: '' }),
    ...(sharesCores && { sharesCores }),
  });

  it('run in parallel if they use one core, and alone otherwise', () => {
    const all = [part('lint', true), part('types', true), part('unit'), part('tools', true), part('e2e')];
    const names = stagesOf(all).map((stage) => stage.map(({ name }) => name));
    assert.deepEqual(names, [['lint', 'types', 'tools'], ['unit'], ['e2e']]);
    assert.deepEqual(stagesOf([part('unit')]).length, 1);
  });

  it('run and count every file, even after a failure', async () => {
    const command = new TestCommand([]);
    command.steps.output = /** @type {any} */ ({ write: () => true });
    const broken = { ...part('types', true), run: async () => ({ passed: 0, failed: 2, report: 'wrong' }) };
    await command.runStage([part('lint', true), broken, part('format', true), part('tools', true)]);
    const counts = command.results.map(({ name, outcome }) => `${name} ${outcome.failed}`).sort();
    assert.deepEqual(counts, ['format 0', 'lint 0', 'tools 0', 'types 2']);
  });
});
