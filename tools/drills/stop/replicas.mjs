// Second replicas of the apps of a running sandbox, and a client-side load balancer that uses gateway readiness.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { appEnvironment, appProgram, prefixOf } from '../../local/apps.mjs';
import { isHealthy } from '../../local/health.mjs';
import { freePort } from '../../local/ports.mjs';
import { until } from '../../local/until.mjs';

const readyWithinMs = 60_000;
const probeEveryMs = 100;
/** The time until all load balancers have removed a replica that is not ready. */
const withdrawnAfterMs = 1_000;

/** A second process of an app, in addition to the one of the sandbox. */
export class Replica {
  /**
   * @param {import('../../local/apps.mjs').SandboxSetup} setup
   * @param {string} app
   * @param {{ environment: Record<string, string>, log: string }} options settings that differ from the
   * sandbox, and the name of the log file
   * @returns {Promise<Replica>} when it is ready
   */
  static async start(setup, app, { environment, log }) {
    const replica = new Replica();
    const port = await freePort();
    const managementPort = await freePort([port]);
    const env = {
      ...appEnvironment(setup, [app]),
      ...environment,
      [`${prefixOf(app)}_MANAGEMENT_PORT_NUMBER`]: String(managementPort),
      ...(app === 'gateway' && { PORT: String(port) }),
      ...(app === 'stream' && { STREAM_PORT_NUMBER: String(port) }),
    };
    replica.url = `http://127.0.0.1:${port}`;
    replica.management = `http://127.0.0.1:${managementPort}`;
    replica.child = spawn(process.execPath, [appProgram(app, 'main')], { env });
    const file = setup.directory.file('logs', `${log}.log`);
    for (const output of [replica.child.stdout, replica.child.stderr])
      output.on('data', (chunk) => appendFileSync(file, chunk));
    replica.ended = once(replica.child, 'exit');
    try {
      await untilReady(replica.management);
    } catch (error) {
      await replica.stop();
      throw error;
    }
    return replica;
  }

  async stop() {
    this.child.kill('SIGTERM');
    await this.ended;
  }
}

/** @param {string} management */
export const untilReady = (management) =>
  until(`readiness of ${management}`, readyWithinMs, () => isHealthy(`${management}/health/ready`));

/** The gateways that clients may use: those that are ready, and for a short time those that have become not ready. */
export class Gateways {
  #turn = 0;
  #end = new AbortController();

  /** @param {{ url: string, management: string }[]} replicas */
  constructor(replicas) {
    this.replicas = replicas.map((replica) => ({ ...replica, notReadySinceMs: Infinity }));
    for (const replica of this.replicas) void this.#probe(replica);
  }

  /** @returns {string} the URL for the next request */
  next() {
    const usable = this.replicas.filter(
      ({ notReadySinceMs }) =>
        performance.now() - notReadySinceMs < withdrawnAfterMs || notReadySinceMs === Infinity,
    );
    const among = usable.length > 0 ? usable : this.replicas;
    return among[this.#turn++ % among.length].url;
  }

  close() {
    this.#end.abort();
  }

  async #probe(replica) {
    while (!this.#end.signal.aborted) {
      const isReady = await isHealthy(`${replica.management}/health/ready`);
      if (isReady) replica.notReadySinceMs = Infinity;
      else replica.notReadySinceMs = Math.min(replica.notReadySinceMs, performance.now());
      await sleep(probeEveryMs);
    }
  }
}
