// Second replicas of the apps of a running sandbox, and gateways that clients use by their readiness.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { appEnvironment, appProgram, prefixOf } from '../../local/apps.mjs';
import { Directory } from '../../local/directory.mjs';
import { isHealthy } from '../../local/health.mjs';
import { freePort } from '../../local/ports.mjs';

const readyWithinMs = 60_000;
const probeEveryMs = 100;
/** The time until all load balancers have withdrawn a replica that is not ready. */
const withdrawnAfterMs = 1_000;

/** @typedef {import('../../../bench/kill-orders/deployment.mjs').KilledDeployment} KilledDeployment */

/** A second process of an app, beside the one of the sandbox. */
export class Replica {
  /** @param {KilledDeployment} deployment @param {string} app */
  static async start({ state, directory, environment }, app) {
    const replica = new Replica();
    const port = await freePort();
    const managementPort = await freePort([port]);
    const setup = {
      directory: new Directory(directory),
      passwords: state.passwords,
      ports: state.ports,
      gatewayPort: state.ports.public,
    };
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
    const log = setup.directory.file('logs', `${app}-2.log`);
    for (const output of [replica.child.stdout, replica.child.stderr])
      output.on('data', (chunk) => appendFileSync(log, chunk));
    replica.ended = once(replica.child, 'exit');
    await untilReady(replica.management);
    return replica;
  }

  async stop() {
    this.child.kill('SIGTERM');
    await this.ended;
  }
}

/** @param {string} management */
export async function untilReady(management) {
  for (const endMs = performance.now() + readyWithinMs; performance.now() < endMs; await sleep(50))
    if (await isHealthy(`${management}/health/ready`)) return;
  throw new Error(`${management} was not ready within ${readyWithinMs} ms`);
}

/** The gateways that clients may use: those that are ready, and for a while those that no longer are. */
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
