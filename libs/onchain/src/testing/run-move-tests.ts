import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

export interface MoveTestResult {
  /** Names as `tollbridge::module::test`. */
  passed: string[];
  failed: string[];
  output: string;
}

/** Runs Move tests, those of the package unless others are given, by path, as `tests/name.move`. */
export function runMoveTests(parts: { tests?: Record<string, string> } = {}): MoveTestResult {
  // A process of its own: the virtual machine is an ES module, which jest cannot load.
  return JSON.parse(runScript('test-sui.mjs', ['--json'], JSON.stringify(parts))) as MoveTestResult;
}

/** The output of a script of this library. */
export function runScript(name: string, args: string[], input = ''): string {
  const script = join(__dirname, '../../scripts', name);
  const { status, stdout, stderr } = spawnSync(process.execPath, [script, ...args], {
    input,
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`${name} failed: ${stderr}${stdout}`);
  return stdout;
}
