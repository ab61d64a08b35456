import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { eventually } from './eventually';
import { LocalProgram } from './local-program';

/** A program that prints its pid and continues to run. */
const node = (script: string): [string, string[], RegExp] => [
  process.execPath,
  ['-e', `${script}; console.log('pid ' + process.pid); setInterval(() => {}, 1000)`],
  /pid (\d+)/,
];

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

it.each(['SIGTERM', 'SIGINT', 'SIGKILL'] as const)('LocalProgram ends after stop with %s', async (signal) => {
  const program = await LocalProgram.start(...node(''));
  const pid = Number(program.announced);
  expect(isAlive(pid)).toBe(true);

  await program.stop(signal);

  expect(isAlive(pid)).toBe(false);
  // A second call of stop is allowed.
  await program.stop();
});

it('LocalProgram waits for a program that ends by itself', async () => {
  const file = join(mkdtempSync(join(tmpdir(), 'tollbridge-program-')), 'output');
  const write = `require('fs').writeFileSync(${JSON.stringify(file)}, 'bye'); process.exit(0)`;
  const program = await LocalProgram.start(...node(`process.on('SIGTERM', () => { ${write} })`));

  await program.stop();

  expect(readFileSync(file, 'utf8')).toBe('bye');
  rmSync(dirname(file), { recursive: true });
});

it('LocalProgram reports why a program did not start', async () => {
  const started = LocalProgram.start(
    process.execPath,
    ['-e', `console.error('no such port'); process.exit(3)`],
    /ready/,
  );

  await expect(started).rejects.toThrow(/ended: no such port/);
  await expect(LocalProgram.start('/nowhere/server', [], /ready/)).rejects.toThrow(/ended: .*nowhere/);
});

it('LocalProgram ends with its parent process, also when that process is killed', async () => {
  const sources = require.resolve('./local-program');
  const [program, args] = node('');
  const starter = `
    const { transformFileSync } = require('@swc/core');
    const { code } = transformFileSync(${JSON.stringify(sources)}, { jsc: { parser: { syntax: 'typescript' } }, module: { type: 'commonjs' } });
    const made = { exports: {} };
    new Function('require', 'exports', 'module', code)(require, made.exports, made);
    made.exports.LocalProgram.start(${JSON.stringify(program)}, ${JSON.stringify(args)}, /pid (\\d+)/)
      .then((it) => console.log('started ' + it.announced));
  `;
  const parent = spawn(process.execPath, ['-e', starter], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [announced] = (await once(parent.stdout!, 'data')) as [Buffer];
  const pid = Number(/started (\d+)/.exec(announced.toString())![1]);
  expect(isAlive(pid)).toBe(true);

  parent.kill('SIGKILL');

  await eventually(() => expect(isAlive(pid)).toBe(false));
});
