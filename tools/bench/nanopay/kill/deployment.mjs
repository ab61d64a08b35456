// Payment ledger, facilitator and two sellers, each in a separate process, with a PostgreSQL that can be killed.
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { startTestServers } from '../../../local/test-servers.mjs';
import { startChild } from '../child-server.mjs';
import { chooseTcp, tcpSettings } from '../ledger-tcp.mjs';
import { Finding } from './ledger-checks.mjs';
import { AppProcess, killPostgres } from './processes.mjs';

const load = createRequire(import.meta.url);
const root = resolve(fileURLToPath(new URL('../../../..', import.meta.url)));

// Addresses of the sandbox.
export const contract = '0:1e411a978149c21f93c8dd3be2cb8f45e6cc7330af6068fc6367ad83975e02c1';
export const asset = '0:bf01e7207c69fd0ddf3549aa38e27c2e74d3c3006e7fac4827fdffb57e4e07c7';
export const seller = `0:${'22'.repeat(32)}`;

const fundsAtomic = 1_000_000_000_000n;
// A process that lost its lease detects it within a second, and has a few more seconds to finish its calls.
const endsWithinMs = 10_000;
// Within this time, the lease of a dead holder expires, and its successor has loaded the ledger.
const takenOverWithinMs = 30_000;

/** One seller uses the bus, the other a TCP connection. */
const sellersOnBothWays = (deployment) => [
  deployment.startSeller({ natsUrl: deployment.natsUrl }),
  deployment.startSeller({ tcp: deployment.tcp }),
];

export class KilledDeployment {
  /** @param {(deployment: KilledDeployment) => Promise<{ stop(): Promise<void> }>[]} startSellers */
  static async start(buyers, startSellers = sellersOnBothWays) {
    const deployment = new KilledDeployment();
    deployment.startSellers = startSellers;
    deployment.folder = mkdtempSync(join(tmpdir(), 'kill-nanopay-'));
    deployment.servers = await startTestServers();
    try {
      await deployment.#start(buyers);
      return deployment;
    } catch (error) {
      await deployment.stop();
      throw error;
    }
  }

  async #start(buyers) {
    const { variables } = this.servers;
    Object.assign(process.env, variables);
    const { freshDatabase } = load('@tollbridge/testing');
    const { migrate } = load('@tollbridge/database');
    const { migrations } = load('../../../../apps/tee/dist/migrations');
    const { signingKey } = load('@tollbridge/nanopay-protocol');
    this.natsUrl = variables.TEST_NATS_URL;
    this.tcp = await chooseTcp();
    this.database = await freshDatabase('tee');
    await migrate({ app: 'tee', url: this.database.ownerUrl, migrations });
    this.pool = new pg.Pool({ connectionString: this.database.ownerUrl, max: 2 });
    this.pool.on('error', () => undefined);
    await this.#fund(buyers);
    // Created here, so that sellers do not have to wait for the key.
    const seed = randomBytes(32);
    writeFileSync(join(this.folder, 'tee.key'), `${seed.toString('hex')}\n`, { mode: 0o600 });
    this.enclaveKey = signingKey(seed).publicKey;
    const settings = { NANOPAY_NATS_URL: this.natsUrl, GATEWAY_PUBLIC_URL: 'http://127.0.0.1:3000' };
    [this.tee, this.nanopay, ...this.sellers] = await Promise.all([
      this.#startTee(),
      this.#app('nanopay', settings).start(),
      ...this.startSellers(this),
    ]);
  }

  /** @param options the transport to the payment ledger, and further options of the seller */
  startSeller(options) {
    const enclaveKey = this.enclaveKey.toString('hex');
    const sells = { verifyingContract: contract, asset, to: seller };
    return startChild('our-server.mjs', { ...options, enclaveKey, ...sells });
  }

  async #fund(buyers) {
    const text =
      'INSERT INTO tee.accounts (account, deposited, available, updated_at) VALUES ($1, $2, $2, now())';
    for (const { address } of buyers)
      await this.pool.query(text, [Buffer.from(address.slice(2), 'hex'), fundsAtomic]);
  }

  #app(name, env) {
    const settings = { [`${name.toUpperCase()}_MANAGEMENT_PORT_NUMBER`]: '0', ...env };
    return new AppProcess(name, join(root, `apps/${name}/dist/main.js`), settings);
  }

  #startTee() {
    return this.#app('tee', {
      TEE_NATS_URL: this.natsUrl,
      TEE_DATABASE_URL: this.database.runtimeUrl,
      TEE_KEY_FILE: join(this.folder, 'tee.key'),
      TEE_VERIFY_THREADS: '1',
      TEE_AUDIT_MS: '1000',
      ...tcpSettings(this.tcp),
    }).start();
  }

  /** The kinds of failure. Each resolves when all processes are ready again. */
  failures = {
    tee: () => this.tee.kill(),
    nanopay: () => this.nanopay.kill(),
    postgres: () => killPostgres(this.servers.supervisor),
    /** Kills the first ledger process while a second one stands by. */
    takeover: () => this.#takeOver((former) => former.stop()),
    /**
     * Stops the first ledger process as in a deployment, so that it releases the lease, while a second one stands by.
     */
    handover: () => this.#takeOver((former) => former.end(endsWithinMs)),
    /**
     * Pauses the first ledger process while a second one stands by. After the takeover, it resumes and must end.
     */
    pause: async () => {
      let paused;
      await this.#takeOver((former) => (paused = former).pause());
      paused.wake();
      await paused.untilEnded(endsWithinMs);
    },
  };

  /** @param leave stops the lease holder when a standby is ready */
  async #takeOver(leave) {
    const former = this.tee;
    former.retire();
    this.tee = await this.#startTee();
    const holder = await this.#leaseHolder();
    await leave(former);
    for (const endMs = Date.now() + takenOverWithinMs; ; await sleep(20)) {
      const now = await this.#leaseHolder();
      if (now && now !== holder) return;
      if (Date.now() > endMs)
        throw new Finding(`no process took over the ledger within ${takenOverWithinMs} ms`);
    }
  }

  async #leaseHolder() {
    return this.readSnapshot(async (query) => (await query('SELECT holder FROM tee.lease'))[0].holder);
  }

  /** Reads a consistent snapshot in one transaction. Retries while the database restarts. */
  async readSnapshot(work) {
    for (let left = 200; ; left--) {
      const client = await this.pool.connect().catch(() => undefined);
      try {
        if (!client) throw new Error('the database is unavailable');
        await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
        const seen = await work((text, values) => client.query(text, values).then(({ rows }) => rows));
        await client.query('COMMIT');
        client.release();
        return seen;
      } catch (error) {
        client?.release(true);
        // A violated invariant is not a database failure.
        if (left === 0 || error.isFinding) throw error;
        await sleep(100);
      }
    }
  }

  async stop() {
    for (const child of this.sellers ?? []) await child.stop();
    await this.nanopay?.stop();
    await this.tee?.stop();
    await this.pool?.end();
    await this.database?.drop().catch(() => undefined);
    await this.servers.stop();
    rmSync(this.folder, { recursive: true, force: true });
  }
}
