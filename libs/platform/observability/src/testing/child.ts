import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

// The program lies elsewhere, and finds its packages here.
const packages = join(__dirname, '../../../../node_modules');

export interface Child {
  process: ChildProcess;
  output(): string;
  errors(): string;
  /** Resolves with the exit code when the process is gone and all that it said is here. */
  ended: Promise<number | null>;
}

/** Runs a program in a process of its own: what ends or floods a process cannot be tried in that of the tests. */
export function runProgram(source: string, env: NodeJS.ProcessEnv = {}): Child {
  const folder = mkdtempSync(join(tmpdir(), 'tollbridge-program-'));
  const file = join(folder, 'program.ts');
  writeFileSync(file, source);
  const hook = join(__dirname, 'run-typescript.cjs');
  const child = spawn(process.execPath, ['-r', 'reflect-metadata', '-r', hook, file], {
    env: { PATH: process.env['PATH'], NODE_PATH: packages, ...env },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  const [output, errors]: string[][] = [[], []];
  child.stdout.on('data', (chunk: Buffer) => output!.push(chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => errors!.push(chunk.toString()));
  const killOnExit = (): void => void child.kill('SIGKILL');
  process.once('exit', killOnExit);
  const ended = new Promise<number | null>((resolve) =>
    child.once('close', (code) => {
      process.off('exit', killOnExit);
      rmSync(folder, { recursive: true, force: true });
      resolve(code);
    }),
  );
  return { process: child, output: () => output!.join(''), errors: () => errors!.join(''), ended };
}
