import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { eventually } from '@tollbridge/testing';
import { repository } from '../harness';
import type { Guide, Place, Step } from './guide';

// The installation of packages needs the most time.
const stepTimeoutMs = 300_000;

/** Executes a page in its own folders: saves the files and runs the commands as written. */
export class GuideRun {
  /** Output of the commands, by heading. */
  readonly output: Record<string, string> = {};
  private readonly home = mkdtempSync(join(tmpdir(), 'tollbridge-guide-'));
  private readonly emptyFolder = join(this.home, 'empty');
  private readonly background: ChildProcess[] = [];

  /** @param environment variables besides PATH and HOME; the commands receive no others */
  constructor(
    private readonly guide: Guide,
    private readonly environment: Record<string, string>,
  ) {
    mkdirSync(this.emptyFolder);
  }

  /** @param before waits for the expected state before the next step */
  async run(before: (heading: string) => Promise<void> = async () => undefined): Promise<this> {
    for (const step of this.guide.steps) {
      await before(step.heading);
      await this.take(step);
    }
    return this;
  }

  /** A file of the empty folder. */
  file(name: string): string {
    return join(this.emptyFolder, name);
  }

  async remove(): Promise<void> {
    for (const child of this.background) {
      const ended = child.exitCode === null ? once(child, 'exit') : undefined;
      // The shell and its child processes.
      if (child.pid && ended) process.kill(-child.pid, 'SIGKILL');
      await ended;
    }
    rmSync(this.home, { recursive: true, force: true });
  }

  private async take(step: Step): Promise<void> {
    // The test has already started it, because every page needs it.
    if (step.text === 'npm start') return;
    const cwd = this.folderOf(step.place);
    if (step.saveAs) return this.save(join(cwd, step.saveAs), step.text);
    return step.isBackground ? this.runBeside(step, cwd) : this.runHere(step, cwd);
  }

  private save(path: string, text: string): void {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, `${text}\n`);
  }

  private async runHere(step: Step, cwd: string): Promise<void> {
    const { status, stdout, stderr } = await runInShell(step.text, { cwd, env: this.env });
    this.keep(step, stdout);
    // stderr also contains npm warnings and the progress of the command line. These are not failures.
    const complaints = /^(npm|npx tollbridge) /.test(step.text) ? '' : stderr;
    if (status !== 0 || complaints)
      throw new Error(`${this.guide.name}: "${step.heading}" ended with ${status}:\n${stdout}\n${stderr}`);
  }

  private async runBeside(step: Step, cwd: string): Promise<void> {
    const child = spawn('bash', ['-ec', step.text], { cwd, env: this.env, detached: true, stdio: 'pipe' });
    this.background.push(child);
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk: Buffer) => this.keep(step, chunk.toString()));
    const ports = [...this.guide.text.matchAll(/127\.0\.0\.1:(\d+)|on port (\d+)/g)]
      .map(([, one, other]) => Number(one ?? other))
      .filter((port) => port !== 3000);
    await eventually(() => Promise.any(ports.map(isOpen)));
  }

  private keep({ heading }: Step, text: string): void {
    this.output[heading] = (this.output[heading] ?? '') + text;
  }

  private folderOf(place: Place): string {
    if (place.kind === 'repository') return repository;
    if (place.kind === 'empty') return this.emptyFolder;
    const folder = join(this.home, place.path);
    mkdirSync(folder, { recursive: true });
    return folder;
  }

  private get env(): NodeJS.ProcessEnv {
    return { PATH: process.env['PATH'], HOME: this.home, ...this.environment };
  }
}

/** Runs commands as if they were pasted, without blocking this process: they may call it. */
export async function runInShell(
  text: string,
  { cwd, env }: { cwd: string; env: NodeJS.ProcessEnv },
): Promise<{ status: number | null; stdout: string; stderr: string }> {
  const child = spawn('bash', ['-eo', 'pipefail', '-c', text], {
    cwd,
    env,
    timeout: stepTimeoutMs,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [stdout, stderr] = [child.stdout, child.stderr].map((stream) => {
    const chunks: Buffer[] = [];
    stream.on('data', (chunk: Buffer) => chunks.push(chunk));
    return () => Buffer.concat(chunks).toString();
  });
  const [status] = (await once(child, 'close')) as [number | null];
  return { status, stdout: stdout!(), stderr: stderr!() };
}

async function isOpen(port: number): Promise<void> {
  const socket = connect(port, '127.0.0.1');
  try {
    await once(socket, 'connect');
  } finally {
    socket.destroy();
  }
}
