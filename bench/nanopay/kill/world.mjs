// Enclave, facilitator and two sellers, each in a process of its own, with a PostgreSQL that may be killed.
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { startTestServers } from '../../../tools/local/test-servers.mjs';
import { startChild } from '../child-server.mjs';
import { chooseTcp, tcpSettings } from '../enclave-tcp.mjs';
import { Finding } from './ledger-checks.mjs';
import { AppProcess, killPostgres } from './processes.mjs';

const load = createRequire(import.meta.url);
const root = resolve(fileURLToPath(new URL('../../..', import.meta.url)));

// Those of the sandbox.
export const contract = '0:1e411a978149c21f93c8dd3be2cb8f45e6cc7330af6068fc6367ad83975e02c1';
export const asset = '0:bf01e7207c69fd0ddf3549aa38e27c2e74d3c3006e7fac4827fdffb57e4e07c7';
export const seller = `0:${'22'.repeat(32)}`;

const fundsAtomic = 1_000_000_000_000n;
// A process that has lost its lease learns of it within a second, and has some to end its calls.
const endsWithinMs = 10_000;
// Within this time the lease of a dead holder expires and its successor has read the ledger.
const takenOverWithinMs = 30_000;

export class KillWorld {
  static async start(buyers) {
    const world = new KillWorld();
    world.folder = mkdtempSync(join(tmpdir(), 'kill-nanopay-'));
    world.servers = await startTestServers();
    try {
      await world.#start(buyers);
      return world;
    } catch (error) {
      await world.stop();
      throw error;
    }
  }

  async #start(buyers) {
    const { variables } = this.servers;
    Object.assign(process.env, variables);
    const { freshDatabase } = load('@tollbridge/testing');
    const { migrate } = load('@tollbridge/database');
    const { migrations } = load('../../../apps/tee/dist/migrations');
    const { signingKey } = load('@tollbridge/nanopay-protocol');
    this.natsUrl = variables.TEST_NATS_URL;
    this.tcp = await chooseTcp();
    this.database = await freshDatabase('tee');
    await migrate({ app: 'tee', url: this.database.ownerUrl, migrations });
    this.pool = new pg.Pool({ connectionString: this.database.ownerUrl, max: 2 });
    this.pool.on('error', () => undefined);
    await this.#fund(buyers);
    // Made here, so that sellers need not wait for the enclave to know its key.
    const seed = randomBytes(32);
    writeFileSync(join(this.folder, 'tee.key'), `${seed.toString('hex')}\n`, { mode: 0o600 });
    this.enclaveKey = signingKey(seed).publicKey;
    const settings = { NANOPAY_NATS_URL: this.natsUrl, GATEWAY_PUBLIC_URL: 'http://127.0.0.1:3000' };
    [this.tee, this.nanopay, ...this.sellers] = await Promise.all([
      this.#startTee(),
      this.#app('nanopay', settings).start(),
      this.#startSeller({ natsUrl: this.natsUrl }),
      this.#startSeller({ tcp: this.tcp }),
    ]);
  }

  /** @param way to the enclave: one seller has the bus, the other a connection of his own */
  #startSeller(way) {
    const enclaveKey = this.enclaveKey.toString('hex');
    const sells = { verifyingContract: contract, asset, to: seller };
    return startChild('our-server.mjs', { ...way, enclaveKey, ...sells });
  }

  async #fund(buyers) {
    const text =
      'INSERT INTO tee.accounts (account, deposited, available, updated_at) VALUES ($1, $2, $2, now())';
    for (const { address } of buyers)
      await this.pool.query(text, [Buffer.from(address.slice(2), 'hex'), fundsAtomic]);
  }

  #app(name, env) {
    const settings = { [`${name.toUpperCase()}_MANAGEMENT_PORT`]: '0', ...env };
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

  /** What can happen to it; each resolves when all are back. */
  blows = {
    tee: () => this.tee.kill(),
    nanopay: () => this.nanopay.kill(),
    postgres: () => killPostgres(this.servers.supervisor),
    /** A second ledger process stands by while the first serves, which is killed then. */
    takeover: () => this.#takeOver((former) => former.stop()),
    /** The same, and the first is stopped as a deployment stops it: the lease is released. */
    handover: () => this.#takeOver((former) => former.end(endsWithinMs)),
    /** The same, and the first is only stopped by a signal; it wakes when it has a successor, and has to end. */
    pause: async () => {
      let paused;
      await this.#takeOver((former) => (paused = former).pause());
      paused.wake();
      await paused.untilEnded(endsWithinMs);
    },
  };

  /** @param leave what happens to the holder of the lease when a standby is there */
  async #takeOver(leave) {
    const former = this.tee;
    former.retire();
    this.tee = await this.#startTee();
    const holder = await this.#leaseHolder();
    await leave(former);
    for (const endMs = Date.now() + takenOverWithinMs; ; await sleep(20)) {
      const now = await this.#leaseHolder();
      if (now && now !== holder) return;
      if (Date.now() > endMs) throw new Finding(`nobody took the ledger over for ${takenOverWithinMs} ms`);
    }
  }

  async #leaseHolder() {
    return this.look(async (query) => (await query('SELECT holder FROM tee.lease'))[0].holder);
  }

  /** In one transaction, so that all is seen at one moment; the database may be on its way up again. */
  async look(work) {
    for (let left = 200; ; left--) {
      const client = await this.pool.connect().catch(() => undefined);
      try {
        if (!client) throw new Error('the database is away');
        await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
        const seen = await work((text, values) => client.query(text, values).then(({ rows }) => rows));
        await client.query('COMMIT');
        client.release();
        return seen;
      } catch (error) {
        client?.release(true);
        // A finding is none of the database's failures.
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
