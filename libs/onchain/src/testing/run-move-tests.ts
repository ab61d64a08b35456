import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

export interface MoveTestResult {
  /** Names in the form `tollbridge::module::test`. */
  passed: string[];
  failed: string[];
  output: string;
}

/** Runs Move tests: those of the package by default, or the given ones by path, for example `tests/name.move`. */
export function runMoveTests(parts: { tests?: Record<string, string> } = {}): MoveTestResult {
  // Runs in a separate process, because the virtual machine is an ES module, which jest cannot load.
  return JSON.parse(runScript('test-sui.mjs', ['--json'], JSON.stringify(parts))) as MoveTestResult;
}

/** Returns the output of a script of this library. */
export function runScript(name: string, args: string[], input = ''): string {
  const script = join(__dirname, '../../scripts', name);
  const { status, stdout, stderr } = spawnSync(process.execPath, [script, ...args], {
    input,
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`${name} failed: ${stderr}${stdout}`);
  return stdout;
}
