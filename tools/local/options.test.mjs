import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { repository } from './directory.mjs';

const { scripts } = JSON.parse(readFileSync(join(repository, 'package.json'), 'utf8'));
/** @type {[string, string][]} the tools that npm scripts run */
const tools = Object.entries(scripts).flatMap(([name, command]) => {
  const [, tool] = /^(?:exec )?node (tools\/\S+\.mjs)$/.exec(command) ?? [];
  return tool === undefined ? [] : [[name, tool]];
});

/**
 * @param {string} root @param {string} tool @param {string[]} args
 * @returns {Promise<{ code: number, stdout: string, stderr: string }>}
 */
const runIn = (root, tool, ...args) =>
  new Promise((resolve) => {
    execFile(process.execPath, [join(root, tool), ...args], (error, stdout, stderr) =>
      resolve({ code: error ? Number(error.code) : 0, stdout, stderr }),
    );
  });

/** @param {string} tool @param {string[]} args */
const run = (tool, ...args) => runIn(repository, tool, ...args);

const stackLine = /\n\s+at |node:internal/;

describe('the tool of every npm script', { concurrency: 2 }, () => {
  /** @type {string} a checkout without packages */
  let bare;
  before(() => {
    bare = mkdtempSync(join(tmpdir(), 'tollbridge-bare-'));
    for (const name of ['tools', 'package.json'])
      cpSync(join(repository, name), join(bare, name), { recursive: true });
  });
  after(() => rmSync(bare, { recursive: true }));

  it('exists', () => assert.ok(tools.length > 30, tools.join('\n')));

  for (const [name, tool] of tools) {
    it(`prints its usage for --help without packages: npm run ${name}`, async () => {
      const { code, stdout, stderr } = await runIn(bare, tool, '--help');
      assert.deepEqual([code, stderr], [0, '']);
      assert.match(stdout, new RegExp(`npm (?:run )?${name.replace(/^(start|test)$/, '$1\\b')}`));
    });

    it(`lists its options for an unknown option and exits with 2: npm run ${name}`, async () => {
      const { code, stdout, stderr } = await run(tool, '--no-such-option');
      const shown = stdout + stderr;
      assert.equal(code, 2, shown);
      assert.match(shown, /Unknown option '--no-such-option'\..*--/s);
      assert.doesNotMatch(shown, stackLine);
    });
  }
});

describe('readOptions', () => {
  /** @type {[string, string[], RegExp][]} */
  const mistakes = [
    [
      'a word where a number is needed',
      ['--rounds', 'many'],
      /^--rounds must be a whole number of at least 0\./,
    ],
    ['a number below the least', ['--rounds', '-1'], /^Option '--rounds' argument is ambiguous\./],
    ['a number of zero', ['--seconds=0'], /^--seconds must be a number above 0\./],
    ['an empty number', ['--seconds='], /^--seconds must be a number above 0\./],
    ['an unknown choice', ['--sustained', 'some'], /^--sustained must be one of default, all, none\./],
    ['a missing value', ['--only'], /^Option '--only <value>' argument missing\./],
    ['a stray word', ['now'], /^Unexpected argument 'now'\./],
  ];
  for (const [title, args, sentence] of mistakes)
    it(`replies to ${title} with one line`, async () => {
      const { code, stdout, stderr } = await run('tools/bench.mjs', ...args);
      assert.deepEqual([code, stdout], [2, '']);
      assert.match(stderr, sentence);
      assert.match(stderr, /^.*Options: --rounds, .*--help\.\n$/);
    });

  it('lists each option with its default for --help', async () => {
    const { stdout } = await run('tools/bench.mjs', '--help');
    assert.match(stdout, /^Measures .*\.\nnpm run bench \[-- OPTIONS\]\n\n {2}--rounds VALUE {2}\(3\)\n/);
    assert.match(stdout, /\n {2}--strict\n.*\n {2}--help\n$/s);
  });
});
