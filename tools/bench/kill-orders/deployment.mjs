// A deployment with one process per app, started by the real `npm start`.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { repository } from '../../local/directory.mjs';
import { runCommand } from '../../local/run-command.mjs';
import { runSandbox } from '../../local/run-sandbox.mjs';
import { until } from '../../local/until.mjs';

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

  /** State of the supervisor's processes; undefined while the file is being written. */
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
    const apps = ['pay-orders', 'merchant', 'sandbox'];
    const origins = [gateway, ...apps.map((app) => urls.management[app])];
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

  /** Resolves when the supervisor has replaced the process `before`. */
  untilReplaced(name, before, withinMs) {
    const isReplaced = () => ![undefined, before].includes(this.pids[name]);
    return until(`other process of ${name}`, withinMs, isReplaced);
  }

  /** Stops a process for some time. Its connections stay open. */
  async freeze(name, lastsMs, signal) {
    const pid = this.pids[name];
    process.kill(pid, 'SIGSTOP');
    await sleep(lastsMs, undefined, { signal }).finally(() => process.kill(pid, 'SIGCONT'));
  }

  /** Kills the supervisor, so that no process is restarted. All its processes continue. */
  async killSupervisor() {
    await this.database.end();
    await this.running.kill();
    [this.database, this.running] = [undefined, undefined];
  }

  /** Starts on the existing data. */
  async restart() {
    await this.#start(false);
  }

  /** Runs a tool of the repository against this deployment. @returns its output */
  run(...args) {
    return runTool(this.directory, args);
  }

  async stop() {
    await this.database?.end();
    await this.running?.stop();
    rmSync(this.directory, { recursive: true, force: true });
  }
}

/** Runs a tool of the repository against the deployment in a directory. @returns its output */
export async function runTool(directory, args) {
  const command = [...args, '--directory', directory];
  const { code, output } = await runCommand(process.execPath, command, { cwd: repository });
  if (code !== 0) throw new Error(`${args.join(' ')} failed:\n${output}`);
  return output;
}
