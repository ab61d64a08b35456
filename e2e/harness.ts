import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { eventually } from '@tollbridge/testing';

export const repository = resolve(__dirname, '..');

const defaultOptions: readonly string[] = ['--processes', '--no-payment'];

/** Runs all apps in one process, as `npm start` does: this starts faster, and no app can fail alone. */
export const oneProcess: readonly string[] = ['--no-payment'];

const readyTimeoutMs = 420_000;

/**
 * Time limit of a hook or test that starts a harness. The start itself has less time, so that a failure shows its
 * output.
 */
export const startTimeoutMs = 480_000;

/** Content of `state.json`, which `npm start` writes. */
export interface HarnessState {
  ready: boolean;
  pid: number;
  gateway: string;
  pids: Record<string, number>;
  urls: {
    postgres: string;
    nats: string;
    redis: string;
    evm: Record<string, string>;
    management: Record<string, string>;
  };
  passwords: { identities: Record<string, string>; postgres: Record<string, string> };
}

/** An isolated test environment, started by the real `npm start`: servers, nodes, contracts and one process per app. */
export class Harness {
  private child: ChildProcess | undefined;
  private output = '';

  private constructor(
    readonly directory: string,
    private readonly settings: Record<string, string>,
  ) {}

  /** @param settings environment variables of the apps, as before `npm start` */
  static async start(settings: Record<string, string> = {}, options = defaultOptions): Promise<Harness> {
    const harness = new Harness(mkdtempSync(join(tmpdir(), 'tollbridge-e2e-')), settings);
    await harness.start(options);
    return harness;
  }

  /** @param options of `npm start` */
  async start(options = defaultOptions): Promise<void> {
    this.output = '';
    const args = ['tools/start.mjs', ...options, '--directory', this.directory];
    // Postgres does not wait for the disk: tests kill processes, never the machine.
    const durability = { TOLLBRIDGE_TEST_FSYNC: 'off' };
    // A test selects the networks that it needs, because each costs time.
    const networks = { SANDBOX_NETWORKS: 'none' };
    // On a slow machine, Redis may respond late to a rate limit check; costly routes would then return 503.
    const patience = { GATEWAY_REDIS_TIMEOUT_MS: '10000' };
    const defaults = { PORT: '0', NODE_OPTIONS: '', ...durability, ...networks, ...patience };
    const env = { ...process.env, ...defaults, ...this.settings };
    this.child = spawn(process.execPath, args, { cwd: repository, env, stdio: ['ignore', 'pipe', 'pipe'] });
    const keep = (chunk: Buffer): void =>
      void (this.output = (this.output + chunk.toString()).slice(-20_000));
    this.child.stdout!.on('data', keep);
    this.child.stderr!.on('data', keep);
    await Promise.race([this.untilReady(), this.untilEnded(this.child)]);
  }

  get state(): HarnessState {
    return JSON.parse(readFileSync(join(this.directory, 'state.json'), 'utf8')) as HarnessState;
  }

  /** The end of the output of the last start. */
  get shown(): string {
    return this.output;
  }

  get gateway(): string {
    return this.state.gateway;
  }

  /** Sends Ctrl-C. Returns the exit code. */
  async stop(): Promise<number | null> {
    const { child } = this;
    this.child = undefined;
    if (!child || child.exitCode !== null) return child?.exitCode ?? null;
    const exited = once(child, 'exit');
    child.kill('SIGINT');
    const [code] = (await exited) as [number | null];
    return code;
  }

  async remove(): Promise<void> {
    await this.stop();
    if (!process.env['KEEP_HARNESS']) rmSync(this.directory, { recursive: true, force: true });
  }

  private async untilReady(): Promise<void> {
    const isReady = (): void => {
      // An earlier start may have left its state file.
      if (!this.state.ready || this.state.pid !== this.child?.pid)
        throw new Error(`the harness is not ready:\n${this.output}`);
    };
    await eventually(isReady, { timeoutMs: readyTimeoutMs, everyMs: 100 });
  }

  private async untilEnded(child: ChildProcess): Promise<never> {
    await once(child, 'exit');
    throw new Error(`npm start ended:\n${this.output}`);
  }
}
