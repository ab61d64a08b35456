// A deployment with one process per app, started by the real `npm start`.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { runSandbox } from '../../tools/local/run-sandbox.mjs';

const root = resolve(fileURLToPath(new URL('../..', import.meta.url)));

export class KilledDeployment {
  /** @param {Record<string, string>} environment of the sandbox */
  static async start(environment = {}) {
    const deployment = new KilledDeployment(environment);
    await deployment.#start();
    return deployment;
  }

  directory = mkdtempSync(join(tmpdir(), 'tollbridge-kill-'));

  constructor(environment = {}) {
    this.environment = environment;
  }

  async #start(isFresh = true) {
    const { directory, environment } = this;
    this.running = await runSandbox({ directory, isFresh, environment });
    const connectionString = this.state.urls.postgres.replace(/\/postgres$/, '/tollbridge');
    this.database = new pg.Pool({ connectionString, max: 2 });
    this.database.on('error', () => undefined);
  }

  /** State of the supervisor's processes; undefined while it is being written. */
  get state() {
    try {
      return JSON.parse(readFileSync(join(this.directory, 'state.json'), 'utf8'));
    } catch {
      return undefined;
    }
  }

  get pids() {
    return this.state?.pids ?? {};
  }

  get gateway() {
    return this.state.gateway;
  }

  async isReady() {
    const { gateway, urls } = this.state;
    const origins = [gateway, urls.management['pay-orders'], urls.management.merchant];
    const answers = origins.map((origin) =>
      fetch(`${origin}/health/ready`).then(
        ({ ok }) => ok,
        () => false,
      ),
    );
    return (await Promise.all(answers)).every(Boolean);
  }

  async query(text, values = []) {
    return (await this.database.query(text, values)).rows;
  }

  /** Kills the supervisor, so that nothing is started again. All its processes go on. */
  async killSupervisor() {
    await this.database.end();
    await this.running.kill();
    [this.database, this.running] = [undefined, undefined];
  }

  /** Starts again with the data that is there. */
  async startAgain() {
    await this.#start(false);
  }

  /** Runs a tool of the repository against this deployment and returns its output. */
  async run(...args) {
    const child = spawn(process.execPath, [...args, '--directory', this.directory], { cwd: root });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk));
    const [code] = await once(child, 'exit');
    if (code !== 0) throw new Error(`${args.join(' ')} failed:\n${output}`);
    return output;
  }

  async stop() {
    await this.database?.end();
    await this.running?.stop();
    rmSync(this.directory, { recursive: true, force: true });
  }
}
