import assert from 'node:assert/strict';
import { spawn, execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { connect, createInbox } from 'nats';
import pg from 'pg';
import { loadProduct } from '../docs/product.mjs';
import { repository } from './directory.mjs';
import { configurationFor } from './nats.mjs';
import {
  declarationsOf,
  eventUser,
  natsPasswordVariable,
  natsUsers,
  nextUser,
  renderNatsUsers,
} from './nats-users.mjs';
import { freePort } from './ports.mjs';
import { ensureServers } from './server-programs.mjs';
import { spawnTestServers } from './test-servers-process.mjs';

const { Redis } = createRequire(import.meta.url)('ioredis');

/** Repeats a request until stopped. @param {() => Promise<unknown>} request */
function startTraffic(request) {
  const result = { requests: 0, failures: /** @type {unknown[]} */ ([]) };
  let isStopped = false;
  const loop = (async () => {
    while (!isStopped) {
      await request().catch((error) => result.failures.push(error));
      result.requests += 1;
      await sleep(2);
    }
  })();
  return {
    /** Resolves after this number of further requests. */
    async more(count = 20) {
      const enough = result.requests + count;
      while (result.requests < enough) await sleep(5);
    },
    async stop() {
      isStopped = true;
      await loop;
      return result;
    },
  };
}

/**
 * Waits until a server that was just started or reloaded accepts a connection.
 * @param {() => Promise<import('nats').NatsConnection>} open
 */
async function untilOpen(open) {
  for (let attempt = 1; ; attempt++) {
    try {
      return await (await open()).close();
    } catch (error) {
      if (attempt === 50) throw error;
      await sleep(100);
    }
  }
}

describe('a rotation of a NATS password', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tollbridge-rotate-nats-'));
  const declared = declarationsOf(loadProduct().api);
  /** @type {import('node:child_process').ChildProcess} */
  let server;
  /** @type {number} */
  let port;
  const passwords = Object.fromEntries(natsUsers.map((user) => [user, `p-${user}-1`]));

  /** Simulates a deployment with its passwords in a file next to users.conf. @param {string[]} rotating */
  const configure = (rotating) => {
    const lines = Object.entries(passwords).map(([user, word]) => `${natsPasswordVariable(user)}: "${word}"`);
    writeFileSync(join(folder, 'passwords.conf'), lines.join('\n'));
    writeFileSync(
      join(folder, 'users.conf'),
      renderNatsUsers(declared, { rotating, passwordsFile: 'passwords.conf' }),
    );
    writeFileSync(
      join(folder, 'server.conf'),
      `host: 127.0.0.1\nport: ${port}\njetstream { store_dir: ${JSON.stringify(join(folder, 'js'))} }\ninclude ./users.conf\n`,
    );
  };
  let reloads = 0;
  /** Waits until the new password is valid. @param {string} user @param {string} password */
  const reload = async (user, password) => {
    reloads += 1;
    server.kill('SIGHUP');
    // A connection that begins during the reload may get no reply.
    await sleep(300);
    await untilOpen(() => open(user, password));
  };
  /** @param {string} user @param {string} password */
  const open = (user, password) =>
    connect({
      servers: `127.0.0.1:${port}`,
      user,
      pass: password,
      inboxPrefix: '_INBOX.merchant',
      maxReconnectAttempts: 2,
      reconnectTimeWait: 50,
      timeout: 5_000,
    });

  before(async () => {
    const { nats } = await ensureServers(() => undefined);
    port = await freePort();
    configure([]);
    server = spawn(nats, ['-c', join(folder, 'server.conf')], { stdio: 'ignore' });
    await untilOpen(() => open('operator', passwords.operator));
  });
  after(() => {
    server.kill('SIGKILL');
    rmSync(folder, { recursive: true });
  });

  it('interrupts no connection, and rejects the former password at the end', async () => {
    const operator = await open('operator', passwords.operator);
    const answering = (/** @type {import('nats').NatsConnection} */ connection) =>
      connection.subscribe('op.merchant.>', {
        queue: 'merchant',
        callback: (_error, message) => message.respond(),
      });
    const former = await open('merchant', passwords.merchant);
    answering(former);
    await former.flush();
    const traffic = startTraffic(() =>
      operator.request('op.merchant.test.ping', undefined, {
        timeout: 3_000,
        noMux: true,
        reply: createInbox('_INBOX.operator.merchant'),
      }),
    );
    let interruptions = 0;
    (async () => {
      for await (const { type } of former.status()) if (type === 'disconnect') interruptions += 1;
    })();

    passwords[nextUser('merchant')] = 'p-merchant-2';
    configure(['merchant']);
    await reload(nextUser('merchant'), 'p-merchant-2');
    const next = await open(nextUser('merchant'), 'p-merchant-2');
    answering(next);
    await next.flush();
    await traffic.more();
    assert.equal(interruptions, 0);
    await former.drain();
    passwords.merchant = 'p-merchant-3';
    configure(['merchant']);
    await reload('merchant', 'p-merchant-3');
    await traffic.more();
    const { requests, failures } = await traffic.stop();

    // A reload of users resets the permitted replies of the server, so a call that waits at that moment times out.
    assert.ok(failures.length <= reloads, String(failures));
    assert.ok(
      failures.every((error) => /TIMEOUT/.test(String(error))),
      String(failures),
    );
    assert.ok(requests >= 40, `${requests} requests`);
    await assert.rejects(open('merchant', 'p-merchant-1'), /Authorization Violation/);
    const back = await open('merchant', 'p-merchant-3');
    await Promise.all([back, next, operator].map((connection) => connection.close()));
  });

  it('gives the second user the permissions of the first', () => {
    const text = renderNatsUsers(declared, { rotating: natsUsers });
    for (const user of natsUsers) {
      const blockOf = (/** @type {string} */ name) =>
        text.split(`user: ${name}\n`)[1]?.split('\n').slice(1).join('\n').split('\n      }\n')[0];
      if (user !== 'operator') {
        assert.equal(blockOf(nextUser(user)), blockOf(user));
        assert.equal(blockOf(eventUser(nextUser(user))), blockOf(eventUser(user)));
      }
      assert.ok(text.includes(`$${natsPasswordVariable(nextUser(user))}`));
    }
    assert.equal(renderNatsUsers(declared), readFileSync(join(repository, 'deploy/nats/users.conf'), 'utf8'));
  });
});

describe('deploy/nats with TLS', () => {
  it('admits only clients with a certificate of the CA, and presents its own certificate', async () => {
    const { TestAuthority } = createRequire(import.meta.url)('@tollbridge/testing');
    const { nats, natsVersion } = await ensureServers(() => undefined);
    const [authority, folder, port] = [
      new TestAuthority(),
      mkdtempSync(join(tmpdir(), 'tollbridge-nats-tls-')),
      await freePort(),
    ];
    const [own, client] = [authority.issue(), authority.issue({ commonName: 'operator' })];
    const passwords = natsUsers.map((user) => [natsPasswordVariable(user), `p-${user}`]);
    const file = configurationFor(natsVersion).replace('.conf', '-tls.conf');
    const server = spawn(nats, ['-c', join(repository, 'deploy/nats', file)], {
      stdio: 'ignore',
      env: {
        ...Object.fromEntries(passwords),
        NATS_HOST: '127.0.0.1',
        NATS_PORT: String(port),
        NATS_STORE_DIR: folder,
        NATS_TLS_CERT: own.certFile,
        NATS_TLS_KEY: own.keyFile,
        NATS_TLS_CA: authority.caFile,
      },
    });
    const open = (/** @type {object} */ tls) =>
      connect({ servers: `localhost:${port}`, user: 'operator', pass: 'p-operator', tls, timeout: 10_000 });
    try {
      const tls = { caFile: authority.caFile, certFile: client.certFile, keyFile: client.keyFile };
      await untilOpen(() => open(tls));
      await assert.rejects(open({ caFile: authority.caFile }));
      await assert.rejects(open({ ...tls, caFile: own.certFile }), /verify|unable|self/);
    } finally {
      server.kill('SIGKILL');
      authority.remove();
      rmSync(folder, { recursive: true });
    }
  });
});

describe('rotations of PostgreSQL and Redis passwords', () => {
  /** @type {Awaited<ReturnType<typeof spawnTestServers>>} */
  let servers;
  before(async () => {
    servers = await spawnTestServers();
  });
  after(() => servers?.stop());

  /** @param {string} user @param {string} password */
  const urlOf = (user, password) =>
    `postgres://${user}:${password}@127.0.0.1:${servers.variables.TEST_POSTGRES_PORT}/tollbridge`;

  it('PostgreSQL: the second role has the rights of the first, and no query fails during the change', async () => {
    const { postgres: programs } = await ensureServers(() => undefined);
    const words = JSON.parse(servers.variables.TEST_POSTGRES_PASSWORDS);
    const admin = new pg.Client({ connectionString: urlOf('postgres', words.postgres) });
    await admin.connect();
    const owner = new pg.Client({ connectionString: urlOf('merchant_owner', words.merchant_owner) });
    await owner.connect();
    await owner.query('CREATE TABLE rotated (id bigserial PRIMARY KEY)');
    // Connections end quickly, so that new ones are created all the time.
    const options = { max: 4, idleTimeoutMillis: 1, maxUses: 3 };
    let pool = new pg.Pool({ ...options, connectionString: urlOf('merchant', words.merchant) });
    const traffic = startTraffic(() => pool.query('INSERT INTO rotated DEFAULT VALUES'));
    const former = pool;

    const file = join(repository, 'deploy/postgres/next-role.sql');
    const psql = () =>
      execFileSync(
        programs.psql,
        ['-X', '-v', 'ON_ERROR_STOP=1', '-h', '127.0.0.1', '-p', servers.variables.TEST_POSTGRES_PORT].concat(
          ['-U', 'postgres', '-d', 'postgres', '-f', file],
        ),
        {
          env: { ...process.env, PGPASSWORD: words.postgres, ROLE: 'merchant', NEXT_ROLE_PASSWORD: 'next-1' },
        },
      );
    psql();
    psql();
    await traffic.more();
    pool = new pg.Pool({ ...options, connectionString: urlOf('merchant_next', 'next-1') });
    await traffic.more();
    await former.end();
    await admin.query(`ALTER ROLE merchant PASSWORD 'other'`);
    await traffic.more();
    const { requests, failures } = await traffic.stop();

    assert.deepEqual(failures, []);
    assert.ok(requests >= 40, `${requests} requests`);
    const settings = 'current_user AS role, session_user AS login';
    const shown = [
      'search_path',
      'statement_timeout',
      'idle_in_transaction_session_timeout',
      'plan_cache_mode',
    ];
    const text = `SELECT ${settings}, ${shown.map((name) => `current_setting('${name}') AS ${name}`)}`;
    const { rows } = await pool.query(text);
    assert.deepEqual(rows[0], {
      role: 'merchant',
      login: 'merchant_next',
      search_path: 'merchant',
      statement_timeout: '10s',
      idle_in_transaction_session_timeout: '10s',
      plan_cache_mode: 'force_custom_plan',
    });
    await assert.rejects(pool.query('CREATE TABLE merchant.mine ()'), { code: '42501' });
    await assert.rejects(pool.query('SET ROLE merchant_owner'), { code: '42501' });
    const old = new pg.Client({ connectionString: urlOf('merchant', words.merchant) });
    await assert.rejects(old.connect(), { code: '28P01' });
    await Promise.all([pool.end(), admin.end(), owner.end()]);
  });

  it('Redis: two passwords are valid at the same time, and no command fails during the change', async () => {
    const url = new URL(servers.variables.TEST_REDIS_URL);
    const former = new Redis(url.href, { maxRetriesPerRequest: 0 });
    let client = former;
    const traffic = startTraffic(() => client.incr('rotated'));
    await former.call('ACL', 'SETUSER', 'default', '>next-password');
    url.password = 'next-password';
    client = new Redis(url.href, { maxRetriesPerRequest: 0 });
    await traffic.more();
    former.disconnect();
    await client.call('ACL', 'SETUSER', 'default', `<${new URL(servers.variables.TEST_REDIS_URL).password}`);
    await traffic.more();
    const { requests, failures } = await traffic.stop();
    assert.deepEqual(failures, []);
    assert.ok(requests >= 40, `${requests} requests`);
    const rejected = new Redis(servers.variables.TEST_REDIS_URL, {
      lazyConnect: true,
      retryStrategy: () => null,
    });
    rejected.on('error', () => undefined);
    await assert.rejects(rejected.ping(), /WRONGPASS|NOAUTH/);
    client.disconnect();
    rejected.disconnect();
  });
});
