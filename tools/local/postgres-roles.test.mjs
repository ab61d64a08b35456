import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import pg from 'pg';
import { configuredRoleLimits } from '../checks/connection-budget.mjs';
import { repository } from './directory.mjs';
import { schemas } from './passwords.mjs';
import { postgresUrl } from './postgres.mjs';
import { ensureServers } from './server-programs.mjs';
import { spawnTestServers } from './test-servers-process.mjs';

/** @type {Awaited<ReturnType<typeof spawnTestServers>>} */
let servers;
/** @type {Record<string, pg.Client>} */
const clients = {};

/** @param {string} role @param {string} database */
function urlOf(role, database = 'tollbridge') {
  const { TEST_POSTGRES_PORT: port, TEST_POSTGRES_PASSWORDS: passwords } = servers.variables;
  const known = JSON.parse(passwords);
  return postgresUrl(role, known[role] ?? known.postgres, Number(port), database);
}

/** @param {string} role @param {string} statement */
const ask = async (role, statement) => (await clients[role].query(statement)).rows;

/** @param {string} role @param {string} statement */
const denied = (role, statement) => assert.rejects(ask(role, statement), { code: '42501' });

/**
 * Runs work while a role has this number of additional connections.
 * @param {string} role
 * @param {number} count
 * @param {() => Promise<unknown>} work
 */
async function withConnections(role, count, work) {
  const held = Array.from({ length: count }, () => new pg.Client({ connectionString: urlOf(role) }));
  try {
    await Promise.all(held.map((client) => client.connect()));
    await work();
  } finally {
    await Promise.all(held.map((client) => client.end()));
  }
}

before(async () => {
  servers = await spawnTestServers();
  for (const role of schemas.flatMap((schema) => [schema, `${schema}_owner`])) {
    clients[role] = new pg.Client({ connectionString: urlOf(role) });
    await clients[role].connect();
  }
  for (const schema of schemas) {
    await ask(`${schema}_owner`, 'CREATE TABLE things (id bigserial PRIMARY KEY, name text)');
  }
});

after(async () => {
  await Promise.all(Object.values(clients).map((client) => client.end()));
  await servers?.stop();
});

describe('the durability of an acknowledged write', () => {
  for (const setting of ['fsync', 'synchronous_commit', 'full_page_writes']) {
    it(`${setting} is on`, async () =>
      assert.deepEqual(await ask('sandbox', `SHOW ${setting}`), [{ [setting]: 'on' }]));
  }
});

for (const schema of schemas) {
  const other = schema === 'sandbox' ? 'merchant' : 'sandbox';

  describe(`role ${schema}`, () => {
    it('reads and writes rows of its own schema without naming it', async () => {
      await ask(schema, "INSERT INTO things (name) VALUES ('a'), ('b')");
      await ask(schema, "UPDATE things SET name = 'c' WHERE name = 'b'");
      await ask(schema, "DELETE FROM things WHERE name = 'a'");
      assert.deepEqual(await ask(schema, `SELECT name FROM ${schema}.things`), [{ name: 'c' }]);
    });

    it('limits the time of statements, locks and transactions', async () => {
      const bounds = {
        statement_timeout: '10s',
        lock_timeout: '5s',
        idle_in_transaction_session_timeout: '10s',
      };
      for (const [setting, value] of Object.entries(bounds))
        assert.deepEqual(await ask(schema, `SHOW ${setting}`), [{ [setting]: value }]);
    });

    it('limits temporary files, and the role cannot raise the limit', async () => {
      assert.deepEqual(await ask(schema, 'SHOW temp_file_limit'), [{ temp_file_limit: '256MB' }]);
      await denied(schema, 'SET temp_file_limit = -1');
      await denied(schema, `ALTER ROLE ${schema} SET temp_file_limit = -1`);
    });

    it('limits its connections, and does not affect the connections of other roles', async () => {
      const limit = configuredRoleLimits()[schema];
      await withConnections(schema, limit - 1, async () => {
        const more = new pg.Client({ connectionString: urlOf(schema) });
        await assert.rejects(more.connect(), { code: '53300' });
        await withConnections(other, 1, () => ask(other, 'SELECT count(*) FROM things'));
      });
    });

    it('cannot take advisory locks, which other roles of the database would share', async () => {
      for (const name of ['pg_advisory_lock', 'pg_advisory_xact_lock', 'pg_try_advisory_lock'])
        for (const args of ['1', '1, 2']) await denied(schema, `SELECT ${name}(${args})`);
      await denied(schema, 'SELECT pg_try_advisory_xact_lock_shared(1)');
      await denied(schema, 'SELECT pg_advisory_unlock_all()');
    });

    it('stores nothing outside its schema', async () => {
      for (const call of ['lo_create(0)', 'lo_creat(-1)', "lo_from_bytea(0, 'x')", "lo_put(1, 0, 'x')"])
        await denied(schema, `SELECT ${call}`);
      await denied(schema, "SELECT pg_notify('channel', 'x')");
      await denied(schema, "SELECT pg_logical_emit_message(false, 'x', 'x')");
    });

    it('plans prepared statements for the current size of a table', async () => {
      const expected = [{ plan_cache_mode: 'force_custom_plan' }];
      assert.deepEqual(await ask(schema, 'SHOW plan_cache_mode'), expected);
    });

    it('cannot read, write or list another schema', async () => {
      await denied(schema, `SELECT * FROM ${other}.things`);
      await denied(schema, `INSERT INTO ${other}.things (name) VALUES ('x')`);
      await denied(schema, `SELECT nextval('${other}.things_id_seq')`);
    });

    it('cannot change its own schema', async () => {
      await denied(schema, 'CREATE TABLE mine (id int)');
      await denied(schema, `CREATE TABLE ${other}.mine (id int)`);
      await denied(schema, 'CREATE TABLE public.mine (id int)');
      await denied(schema, 'CREATE TEMPORARY TABLE mine (id int)');
      await denied(schema, 'CREATE SCHEMA mine');
      await denied(schema, 'ALTER TABLE things ADD COLUMN more text');
      await denied(schema, 'TRUNCATE things');
      await denied(schema, 'DROP TABLE things');
    });

    it('cannot run programs or read files of the server', async () => {
      await denied(schema, "COPY (SELECT 1) TO PROGRAM 'cat'");
      await denied(schema, "COPY things FROM PROGRAM 'echo 1'");
      await denied(schema, "COPY things TO '/tmp/things'");
      await denied(schema, "SELECT pg_read_file('/etc/passwd')");
      await denied(schema, "SELECT pg_ls_dir('/')");
      await denied(schema, "SELECT lo_import('/etc/passwd')");
    });

    it('cannot become another role', async () => {
      await denied(schema, `SET ROLE ${schema}_owner`);
      await denied(schema, 'SET ROLE postgres');
      await denied(schema, `CREATE ROLE mine`);
      await denied(schema, `ALTER ROLE ${schema} SUPERUSER`);
      await denied(schema, 'SELECT * FROM pg_authid');
    });

    it('cannot connect to other databases', async () => {
      for (const database of ['postgres', 'template1']) {
        const client = new pg.Client({ connectionString: urlOf(schema, database) });
        await assert.rejects(client.connect(), { code: '42501' });
      }
    });
  });

  describe(`role ${schema}_owner`, () => {
    it('changes only its own schema', async () => {
      await ask(`${schema}_owner`, 'CREATE TABLE more (id int)');
      await ask(schema, 'INSERT INTO more VALUES (1)');
      await denied(`${schema}_owner`, `SELECT * FROM ${other}.things`);
      await denied(`${schema}_owner`, `CREATE TABLE ${other}.mine (id int)`);
      await denied(`${schema}_owner`, 'CREATE TABLE public.mine (id int)');
      await denied(`${schema}_owner`, "COPY (SELECT 1) TO PROGRAM 'cat'");
      await denied(`${schema}_owner`, `SET ROLE ${other}`);
    });
  });
}

describe('bounds of a running app', () => {
  it('ends a statement that runs too long, for every role', async () => {
    await Promise.all(
      schemas.map((schema) => assert.rejects(ask(schema, 'SELECT pg_sleep(60)'), { code: '57014' })),
    );
  });

  it('ends a sort that would fill the disk', async () => {
    const rows = 'SELECT count(*) FROM generate_series(1, 20000000)';
    await assert.rejects(ask('merchant', rows), { code: '53400' });
  });
});

/**
 * @param {string} user
 * @param {string[]} options of psql
 * @param {(role: string) => boolean} isGiven whether the password of the role is passed
 */
async function runRoles(user, options, isGiven) {
  const { postgres } = await ensureServers(() => undefined);
  const known = Object.entries(JSON.parse(servers.variables.TEST_POSTGRES_PASSWORDS));
  const passwords = known
    .filter(([role]) => isGiven(role))
    .map(([role, password]) => [`POSTGRES_${role.toUpperCase()}_PASSWORD`, password]);
  const file = join(repository, 'deploy/postgres/roles.sql');
  const args = ['-X', '-v', 'ON_ERROR_STOP=1', ...options, '-d', urlOf(user, 'postgres'), '-f', file];
  const env = { PATH: process.env.PATH, ...Object.fromEntries(passwords) };
  return spawnSync(postgres.psql, args, { env, encoding: 'utf8' });
}

const isOfProduction = (/** @type {string} */ role) => !/^(sandbox|nanopay)/.test(role);

describe('roles.sql', () => {
  it('needs no sandbox password with production=on, and no password of an app without a database', async () => {
    const { status, stderr } = await runRoles('postgres', ['-v', 'production=on'], isOfProduction);
    assert.deepEqual([status, stderr], [0, '']);
  });

  it('names the missing sandbox passwords if production is off', async () => {
    const { status, stderr } = await runRoles('postgres', [], isOfProduction);
    assert.notEqual(status, 0);
    assert.match(stderr, /POSTGRES_SANDBOX_PASSWORD, POSTGRES_SANDBOX_OWNER_PASSWORD/);
  });

  it('permits advisory locks with advisory_locks=on, and revokes the permission without it', async () => {
    const options = ['-v', 'production=on'];
    await runRoles('postgres', [...options, '-v', 'advisory_locks=on'], isOfProduction);
    await ask('merchant', 'SELECT pg_try_advisory_xact_lock(1)');
    await runRoles('postgres', options, isOfProduction);
    await denied('merchant', 'SELECT pg_try_advisory_xact_lock(1)');
  });
});

describe('roles.sql as a role without superuser rights', () => {
  before(async () => {
    for (const client of Object.values(clients)) await client.end();
    const admin = new pg.Client({ connectionString: urlOf('postgres', 'postgres') });
    await admin.connect();
    await admin.query('DROP DATABASE tollbridge WITH (FORCE)');
    for (const role of Object.keys(clients)) await admin.query(`DROP ROLE ${role}`);
    const password = JSON.parse(servers.variables.TEST_POSTGRES_PASSWORDS).postgres;
    await admin.query(`CREATE ROLE manager LOGIN CREATEROLE CREATEDB PASSWORD '${password}'`);
    // The rights that a managed server gives to every role, and that roles.sql as a superuser has revoked.
    await admin.query('GRANT CONNECT, TEMPORARY ON DATABASE postgres TO PUBLIC');
    await admin.end();
  });

  for (const turn of ['first', 'second'])
    it(`works the ${turn} time, and prints the steps that it could not execute`, async () => {
      const { status, stderr } = await runRoles('manager', ['-v', 'production=on'], isOfProduction);
      assert.match(
        stderr,
        /^psql:.*: roles\.sql: only a superuser can .*\n$|^roles\.sql: only a superuser can .*\n$/,
      );
      assert.equal(status, 0);
    });

  it('creates roles that work only in their schema, within their limits', async () => {
    const [owner, app] = ['merchant_owner', 'merchant'].map(
      (role) => new pg.Client({ connectionString: urlOf(role) }),
    );
    await Promise.all([owner.connect(), app.connect()]);
    try {
      await owner.query('CREATE TABLE things (id bigserial PRIMARY KEY)');
      await app.query('INSERT INTO things DEFAULT VALUES');
      for (const statement of [
        'CREATE TABLE mine (id int)',
        'CREATE TEMPORARY TABLE mine (id int)',
        'SELECT * FROM tee.migrations',
      ])
        await assert.rejects(app.query(statement), { code: '42501' });
      const limits = 'SELECT rolconnlimit FROM pg_roles WHERE rolname = current_user';
      assert.deepEqual((await app.query(limits)).rows, [{ rolconnlimit: configuredRoleLimits().merchant }]);
    } finally {
      await Promise.all([owner.end(), app.end()]);
    }
  });

  it('keeps no membership of the role that ran it', async () => {
    const client = new pg.Client({ connectionString: urlOf('manager') });
    await client.connect();
    try {
      await assert.rejects(client.query('SET ROLE merchant_owner'), { code: '42501' });
    } finally {
      await client.end();
    }
  });
});
