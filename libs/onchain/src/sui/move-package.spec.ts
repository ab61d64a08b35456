import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runMoveTests, runScript, type MoveTestResult } from '../testing/run-move-tests';

const folder = join(__dirname, '../../sui/tests');
// The names of the tests in the sources. They detect a test that the virtual machine does not run.
const names = readdirSync(folder).flatMap((file) => {
  const text = readFileSync(join(folder, file), 'utf8');
  const tests = [...text.matchAll(/#\[test[^\n]*\]\nfun (\w+)/g)];
  return tests.map(([, name]) => `tollbridge::${file.replace('.move', '')}::${name}`);
});

describe('Move package', () => {
  let result: MoveTestResult;
  beforeAll(() => {
    result = runMoveTests();
  });

  it('runs all of its tests in the virtual machine', () => {
    expect([...result.passed, ...result.failed].sort()).toEqual([...names].sort());
    expect(names.length).toBeGreaterThan(60);
  });

  it.each(names)('passes the Move test %s', (name) => {
    if (result.failed.includes(name)) throw new Error(result.output);
    expect(result.passed).toContain(name);
  });

  it('compiles to the committed bytecode', () => {
    expect(runScript('compile-sui.mjs', ['--check'])).toContain('is up to date');
  });
});
