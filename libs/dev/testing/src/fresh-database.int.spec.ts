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

it('freshDatabase lets the runtime role read and write rows of its schema, without naming the schema', async () => {
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
])('freshDatabase does not let the runtime role %s', async (statement) => {
  await expect(asRuntime(statement)).rejects.toThrow(/permission denied|must be owner/);
});

it('freshDatabase gives each caller its own database, and drops it with its roles', async () => {
  const other = await freshDatabase('pay_orders');
  await other.query('CREATE TABLE things (id integer)');
  expect(await other.query('SELECT * FROM things')).toEqual([]);
  await other.drop();

  const role = new URL(other.runtimeUrl).username;
  expect(await database.query('SELECT FROM pg_roles WHERE rolname LIKE $1', [`${role}%`])).toEqual([]);
  expect(await database.query('SELECT FROM pg_database WHERE datname = $1', [role])).toEqual([]);
});
