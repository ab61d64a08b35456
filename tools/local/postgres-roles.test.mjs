import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import pg from 'pg';
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
  return postgresUrl(role, JSON.parse(passwords)[role], Number(port), database);
}

/** @param {string} role @param {string} statement */
const ask = async (role, statement) => (await clients[role].query(statement)).rows;

/** @param {string} role @param {string} statement */
const denied = (role, statement) => assert.rejects(ask(role, statement), { code: '42501' });

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

    it('ends statements after their time-out', async () => {
      for (const setting of ['statement_timeout', 'idle_in_transaction_session_timeout']) {
        assert.deepEqual(await ask(schema, `SHOW ${setting}`), [{ [setting]: '10s' }]);
      }
    });

    it('plans prepared statements for the present size of a table', async () => {
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
    it('changes its own schema and nothing else', async () => {
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

describe('roles.sql', () => {
  /** @param {string[]} options of psql */
  async function runWithoutSandbox(options) {
    const { postgres } = await ensureServers(() => undefined);
    const known = Object.entries(JSON.parse(servers.variables.TEST_POSTGRES_PASSWORDS));
    const passwords = known
      .filter(([role]) => !role.startsWith('sandbox'))
      .map(([role, password]) => [`POSTGRES_${role.toUpperCase()}_PASSWORD`, password]);
    const file = join(repository, 'deploy/postgres/roles.sql');
    const args = ['-X', '-v', 'ON_ERROR_STOP=1', ...options, '-d', urlOf('postgres', 'postgres'), '-f', file];
    const env = { PATH: process.env.PATH, ...Object.fromEntries(passwords) };
    return spawnSync(postgres.psql, args, { env, encoding: 'utf8' });
  }

  it('needs no password of the sandbox with production=on', async () => {
    const { status, stderr } = await runWithoutSandbox(['-v', 'production=on']);
    assert.deepEqual([status, stderr], [0, '']);
  });

  it('names the passwords of the sandbox that are missing without it', async () => {
    const { status, stderr } = await runWithoutSandbox([]);
    assert.notEqual(status, 0);
    assert.match(stderr, /POSTGRES_SANDBOX_PASSWORD, POSTGRES_SANDBOX_OWNER_PASSWORD/);
  });
});
