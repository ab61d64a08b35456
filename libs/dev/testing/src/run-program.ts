import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

// The program is in a temporary folder, so it needs the path of its packages.
const packages = join(__dirname, '../../../../node_modules');

export interface Child {
  process: ChildProcess;
  output(): string;
  errors(): string;
  /** The exit code. Resolves when the process has ended and its output is complete. */
  ended: Promise<number | null>;
}

/** Runs a TypeScript program in a separate process, for code that ends its process or prints much output. */
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
