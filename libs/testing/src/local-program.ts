import { spawn, type ChildProcess } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

const startTimeoutMs = 20_000;
const stopTimeoutMs = 10_000;

/** A server of one test file: a child process that is stopped by its own pid, and that dies with the test process. */
export class LocalProgram {
  private constructor(
    private readonly child: ChildProcess,
    /** What the first group of the ready pattern matched. */
    readonly said: string,
  ) {}

  /** Resolves when a line of its output matches `ready`. */
  static async start(
    program: string,
    args: readonly string[],
    ready: RegExp,
    env: NodeJS.ProcessEnv = process.env,
  ): Promise<LocalProgram> {
    const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'], env });
    const killOnExit = (): void => void child.kill('SIGKILL');
    process.once('exit', killOnExit);
    child.once('exit', () => process.off('exit', killOnExit));
    return new LocalProgram(child, await firstMatch(child, program, ready));
  }

  get isRunning(): boolean {
    return this.child.exitCode === null && this.child.signalCode === null;
  }

  /** Resolves when the process is gone. */
  async stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
    if (!this.isRunning) return;
    const gone = new Promise<void>((resolve) => this.child.once('exit', () => resolve()));
    const force = setTimeout(() => this.child.kill('SIGKILL'), stopTimeoutMs);
    this.child.kill(signal);
    await gone;
    clearTimeout(force);
  }
}

function firstMatch(child: ChildProcess, program: string, ready: RegExp): Promise<string> {
  return new Promise((resolve, reject) => {
    let output = '';
    const fail = (what: string): void => reject(new Error(`${program} ${what}: ${output.slice(-2_000)}`));
    const timer = setTimeout(() => {
      child.kill('SIGKILL');
      fail(`was not ready within ${startTimeoutMs} ms`);
    }, startTimeoutMs);
    const read = (chunk: Buffer): void => {
      output += chunk.toString();
      const match = ready.exec(output);
      if (!match) return;
      clearTimeout(timer);
      for (const stream of [child.stdout!, child.stderr!]) {
        stream.off('data', read);
        // A program that writes to a full pipe would hang.
        stream.resume();
      }
      resolve(match[1] ?? '');
    };
    child.stdout!.on('data', read);
    child.stderr!.on('data', read);
    child.once('error', (error) => fail(error.message));
    child.once('exit', (code) => fail(`ended with ${code}`));
  });
}

/** The PATH of an ordinary user lacks the folders of servers. */
export function findProgram(name: string): string {
  const folders = [...(process.env['PATH'] ?? '').split(delimiter), '/usr/local/sbin', '/usr/sbin'];
  const found = folders.filter(Boolean).find((folder) => isExecutable(join(folder, name)));
  if (!found) throw new Error(`${name} is not installed; npm test installs what the tests need`);
  return join(found, name);
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
