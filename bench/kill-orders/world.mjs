// A world of its own, one process per app, started by the real `npm start`.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import pg from 'pg';

const root = resolve(fileURLToPath(new URL('../..', import.meta.url)));
const readyWithinMs = 180_000;
const keptChars = 20_000;

export class KillWorld {
  static async start() {
    const world = new KillWorld();
    await world.#start();
    return world;
  }

  directory = mkdtempSync(join(tmpdir(), 'tollbridge-kill-'));
  #said = '';

  async #start() {
    const args = ['tools/start.mjs', '--processes', '--no-payment', '--directory', this.directory];
    const env = { ...process.env, PORT: '0' };
    this.child = spawn(process.execPath, args, { cwd: root, env, stdio: ['ignore', 'pipe', 'pipe'] });
    for (const stream of [this.child.stdout, this.child.stderr])
      stream.on('data', (chunk) => (this.#said = (this.#said + chunk).slice(-keptChars)));
    const endMs = performance.now() + readyWithinMs;
    while (!this.state?.ready) {
      if (this.child.exitCode !== null || performance.now() > endMs)
        throw new Error(`the world did not start:\n${this.#said}`);
      await sleep(200);
    }
    const connectionString = this.state.urls.postgres.replace(/\/postgres$/, '/tollbridge');
    this.database = new pg.Pool({ connectionString, max: 2 });
    this.database.on('error', () => undefined);
  }

  /** What the supervisor says of its processes; undefined until it has said something. */
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

  /** Runs one of the tools of the repository in this world and answers what it printed. */
  async run(...args) {
    const child = spawn(process.execPath, [...args, '--directory', this.directory], { cwd: root });
    let said = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (said += chunk));
    const [code] = await once(child, 'exit');
    if (code !== 0) throw new Error(`${args.join(' ')} failed:\n${said}`);
    return said;
  }

  async stop() {
    await this.database?.end();
    if (this.child.exitCode === null) {
      const ended = once(this.child, 'exit');
      this.child.kill('SIGINT');
      await ended;
    }
    rmSync(this.directory, { recursive: true, force: true });
  }
}
