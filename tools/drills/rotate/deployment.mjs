// A sandbox with one process per app. New processes replace the old ones in the same way as in a rolling restart.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { gatewayUrl } from '../../local/apps.mjs';
import { postgresUrl } from '../../local/postgres.mjs';
import { StartCommand } from '../../local/start-command.mjs';
import { Replica } from '../stop/replicas.mjs';

// The old and the new process both run for this time.
const overlapMs = 500;

export class RotatedDeployment {
  directory = mkdtempSync(join(tmpdir(), 'tollbridge-rotate-'));
  /**
   * Settings of each app that differ from the settings of the sandbox.
   * @type {Record<string, Record<string, string>>}
   */
  changes = {};
  /** Processes that replaced those of the sandbox. @type {Map<string, Replica>} */
  replicas = new Map();

  /** @param {(line: string) => void} print */
  static async start(print) {
    Object.assign(process.env, { PORT: '0', STOP_DELAY_MS: '200', GATEWAY_TRUSTED_PROXIES: '127.0.0.1' });
    const deployment = new RotatedDeployment();
    const { directory } = deployment;
    const steps = {
      print: () => undefined,
      run: async (/** @type {string} */ name, /** @type {(note: () => void) => unknown} */ work) => {
        print(name);
        return work(() => undefined);
      },
    };
    const options = { directory, isFresh: true, isOneProcess: false, pays: false, networks: [] };
    deployment.command = new StartCommand(options, steps);
    await deployment.command.run();
    deployment.setup = deployment.command.sandbox.options;
    deployment.gateway = gatewayUrl(deployment.setup);
    const { passwords, ports } = deployment.setup;
    const url = postgresUrl('postgres', passwords.postgres.postgres, ports.postgres, 'tollbridge');
    deployment.database = new pg.Pool({ connectionString: url, max: 2 });
    return deployment;
  }

  /** Returns the gateway that clients use. */
  next() {
    return this.gateway;
  }

  async query(text, values = []) {
    return (await this.database.query(text, values)).rows;
  }

  /**
   * Replaces the process of an app with one that has other settings.
   * @param {string} app
   * @param {Record<string, string>} changes
   */
  async roll(app, changes = {}) {
    this.changes[app] = { ...this.changes[app], ...changes };
    const former = this.replicas.get(app);
    const options = { environment: this.changes[app], log: `${app}-next` };
    const replica = await Replica.start(this.setup, app, options);
    this.replicas.set(app, replica);
    // New requests go to the new gateway as soon as it is ready, as with a load balancer.
    if (app === 'gateway') this.gateway = replica.url;
    await sleep(overlapMs);
    if (former) await former.stop();
    else await this.command.sandbox.supervisor.stop([app]);
  }

  async stop() {
    await this.database?.end();
    await Promise.all([...this.replicas.values()].map((replica) => replica.stop()));
    await this.command.stop();
    rmSync(this.directory, { recursive: true, force: true });
  }
}
