import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

const startTimeoutMs = 60_000;
const stopTimeoutMs = 10_000;

/**
 * Runs the program, sends it the signals that are named on stdin, and kills it when stdin closes. A killed test process
 * thus leaves no server running. An exit handler cannot do this: it does not run in a killed process, and never in
 * jest. The shell closes its own output, so the output closes when the program ends.
 */
const guard = `
  "$0" "$@" &
  program=$!
  exec >&- 2>&-
  while read -r signal; do kill -s "$signal" $program; done
  kill -s KILL $program
  wait $program
`;

/** A server of one test file: a child process that the test stops through the shell. It ends with the test process. */
export class LocalProgram {
  private isGone = false;

  private constructor(
    private readonly shell: ChildProcessWithoutNullStreams,
    private readonly gone: Promise<void>,
    /** First group of the ready pattern. */
    readonly announced: string,
  ) {
    void gone.then(() => (this.isGone = true));
  }

  /** Resolves when the output matches `ready`. */
  static async start(
    program: string,
    args: readonly string[],
    ready: RegExp,
    env: NodeJS.ProcessEnv = process.env,
  ): Promise<LocalProgram> {
    const shell = spawn('/bin/sh', ['-c', guard, program, ...args], { env });
    // A write to an ended shell must not fail the test.
    shell.stdin.on('error', () => undefined);
    // The end of the output signals the end of the program. The shell still waits for the end of stdin.
    for (const stream of [shell.stdout, shell.stderr]) stream.once('close', () => shell.stdin.end());
    const gone = new Promise<void>((resolve) => shell.once('exit', () => resolve()));
    return new LocalProgram(shell, gone, await firstMatch(shell, gone, program, ready));
  }

  signal(signal: NodeJS.Signals): void {
    if (!this.isGone) this.shell.stdin.write(`${signal.replace(/^SIG/, '')}\n`);
  }

  /** Resolves when the process has ended. */
  async stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
    this.signal(signal);
    const force = setTimeout(() => this.shell.stdin.end(), stopTimeoutMs);
    await this.gone;
    clearTimeout(force);
  }
}

function firstMatch(
  shell: ChildProcessWithoutNullStreams,
  gone: Promise<void>,
  program: string,
  ready: RegExp,
): Promise<string> {
  return new Promise((resolve, reject) => {
    let output = '';
    const fail = (what: string): void => reject(new Error(`${program} ${what}: ${output.slice(-2_000)}`));
    const timer = setTimeout(() => {
      shell.stdin.end();
      fail(`was not ready within ${startTimeoutMs} ms`);
    }, startTimeoutMs);
    const read = (chunk: Buffer): void => {
      output += chunk.toString();
      const match = ready.exec(output);
      if (!match) return;
      for (const stream of [shell.stdout, shell.stderr]) {
        stream.off('data', read);
        // A program that writes to a full pipe would hang.
        stream.resume();
      }
      clearTimeout(timer);
      resolve(match[1] ?? '');
    };
    shell.stdout.on('data', read);
    shell.stderr.on('data', read);
    shell.once('error', (error) => fail(error.message));
    void gone.then(() => {
      clearTimeout(timer);
      fail('ended');
    });
  });
}

/** An ordinary user's PATH lacks the folders of servers. */
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
