import { Client } from 'pg';
import { freshDatabase, type FreshDatabase } from './fresh-database';

let database: FreshDatabase;

beforeAll(async () => {
  database = await freshDatabase('pay_orders');
  await database.query('CREATE TABLE things (id integer GENERATED ALWAYS AS IDENTITY, name text)');
});
afterAll(() => database?.drop());

async function asRuntime(statement: string): Promise<unknown> {
  const client = new Client({ connectionString: database.runtimeUrl });
  await client.connect();
  try {
    return (await client.query(statement)).rows;
  } finally {
    await client.end();
  }
}

it('freshDatabase allows the runtime role to read and write rows of its schema, without a schema prefix', async () => {
  await asRuntime(`INSERT INTO things (name) VALUES ('a')`);
  await asRuntime(`UPDATE things SET name = 'b'`);

  expect(await asRuntime('SELECT name FROM pay_orders.things')).toEqual([{ name: 'b' }]);
  expect(await asRuntime('DELETE FROM things RETURNING name')).toEqual([{ name: 'b' }]);
});

it.each([
  'CREATE TABLE other (id integer)',
  'CREATE TABLE public.other (id integer)',
  'ALTER TABLE things ADD COLUMN more text',
  'TRUNCATE things',
  'DROP TABLE things',
  'CREATE SCHEMA other',
  'CREATE TEMPORARY TABLE other (id integer)',
  'CREATE ROLE other',
])('freshDatabase does not allow the runtime role to execute %s', async (statement) => {
  await expect(asRuntime(statement)).rejects.toThrow(/permission denied|must be owner/);
});

it('freshDatabase creates a database for each caller, and drops it with its roles', async () => {
  const other = await freshDatabase('pay_orders');
  await other.query('CREATE TABLE things (id integer)');
  expect(await other.query('SELECT * FROM things')).toEqual([]);
  await other.drop();

  const role = new URL(other.runtimeUrl).username;
  expect(await database.query('SELECT FROM pg_roles WHERE rolname LIKE $1', [`${role}%`])).toEqual([]);
  expect(await database.query('SELECT FROM pg_database WHERE datname = $1', [role])).toEqual([]);
});

describe('a database with tables', () => {
  const made: FreshDatabase[] = [];
  let migrations = 0;
  const migrate = async (ownerUrl: string): Promise<void> => {
    migrations++;
    const client = new Client({ connectionString: ownerUrl });
    await client.connect();
    await client.query('CREATE TABLE coins (id integer)');
    await client.end();
  };
  const next = async (): Promise<FreshDatabase> => {
    const fresh = await freshDatabase('copied', migrate);
    made.push(fresh);
    return fresh;
  };
  afterAll(() => Promise.all(made.map((it) => it.drop())));

  it('runs the migration once for all callers, and shares no rows', async () => {
    const [one, other] = await Promise.all([next(), next()]);
    await one.query('INSERT INTO coins VALUES (1)');

    expect(await other.query('SELECT * FROM coins')).toEqual([]);
    expect(migrations).toBe(1);
  });

  it('has the same rights as a database without tables', async () => {
    const client = new Client({ connectionString: (await next()).runtimeUrl });
    await client.connect();
    try {
      await client.query('INSERT INTO coins VALUES (1)');
      await expect(client.query('DROP TABLE coins')).rejects.toThrow(/must be owner/);
      await expect(client.query('SELECT pg_advisory_lock(1)')).rejects.toThrow(/permission denied/);
    } finally {
      await client.end();
    }
  });

  it('closes the connections of one copy only', async () => {
    const [one, other] = await Promise.all([next(), next()]);
    const clients = [one, other].map(({ runtimeUrl }) => new Client({ connectionString: runtimeUrl }));
    for (const client of clients) client.on('error', () => undefined);
    await Promise.all(clients.map((client) => client.connect()));

    await one.breakConnections();

    await expect(clients[0]!.query('SELECT 1')).rejects.toThrow();
    await expect(clients[1]!.query('SELECT 1')).resolves.toBeDefined();
    await clients[1]!.end();
  });
});
