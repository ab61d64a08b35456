import { Pool } from 'pg';
import { transaction } from './database';
import { lockRows, lockRowsTable } from './row-locks';
import { eventually, freshDatabase, type FreshDatabase } from './testing/servers';

let fresh: FreshDatabase;
let pool: Pool;

beforeAll(async () => {
  fresh = await freshDatabase('locked');
  await fresh.query(lockRowsTable);
  pool = new Pool({ connectionString: fresh.runtimeUrl });
});
afterAll(async () => {
  await pool.end();
  await fresh.drop();
});

/** Starts a transaction that locks these names until `end`. */
async function hold(kind: string, names: string[]): Promise<{ end: () => Promise<void> }> {
  let [release, held] = [(): void => undefined, (): void => undefined];
  const isHeld = new Promise<void>((resolve) => (held = resolve));
  const done = transaction(pool, async (client) => {
    await lockRows(client, kind, names);
    held();
    await new Promise<void>((resolve) => (release = resolve));
  });
  await Promise.race([isHeld, done]);
  return { end: () => (release(), done) };
}

const waiting = async (): Promise<number> =>
  (await fresh.query<{ count: number }>('SELECT count(*)::int AS count FROM pg_locks WHERE NOT granted'))[0]!
    .count;

describe('lockRows', () => {
  it('lets one transaction at a time lock a name', async () => {
    let [inside, most] = [0, 0];
    await Promise.all(
      Array.from({ length: 8 }, () =>
        transaction(pool, async (client) => {
          await lockRows(client, 'shops', ['a']);
          most = Math.max(most, ++inside);
          await client.query('SELECT pg_sleep(0.01)');
          inside--;
        }),
      ),
    );
    expect(most).toBe(1);
  });

  it('waits for a name that another transaction has locked, and sees its committed changes', async () => {
    await fresh.query('CREATE TABLE counted (number int)');
    const first = await hold('shops', ['b']);
    const second = transaction(pool, async (client) => {
      await lockRows(client, 'shops', ['c', 'b']);
      return (await client.query('SELECT number FROM counted')).rows;
    });
    await eventually(async () => expect(await waiting()).toBeGreaterThan(0));
    await fresh.query('INSERT INTO counted VALUES (1)');
    await first.end();
    expect(await second).toEqual([{ number: 1 }]);
  });

  it('locks the same name of two kinds independently', async () => {
    const first = await hold('shops', ['d']);
    await (await hold('links', ['d'])).end();
    await first.end();
  });

  it('locks several names in a fixed order, so that opposite orders do not deadlock', async () => {
    const names = Array.from({ length: 50 }, (_, index) => `name ${index}`);
    const orders = Array.from({ length: 8 }, (_, index) => (index % 2 ? names : names.toReversed()));
    await Promise.all(
      orders.map((order) => transaction(pool, (client) => lockRows(client, 'orders', order))),
    );
    const deadlocks = `SELECT deadlocks::int FROM pg_stat_database WHERE datname = current_database()`;
    expect(await fresh.query(deadlocks)).toEqual([{ deadlocks: 0 }]);
  });

  it('uses a bounded number of rows, and writes each of them once', async () => {
    const names = Array.from({ length: 3_000 }, (_, index) => `many ${index}`);
    await transaction(pool, (client) => lockRows(client, 'many', names));
    const rows = () => fresh.query(`SELECT ctid::text FROM lock_rows WHERE kind = 'many' ORDER BY 1`);
    expect((await rows()).length).toBeLessThanOrEqual(1_024);
    const before = await rows();
    await transaction(pool, (client) => lockRows(client, 'many', names));
    expect(await rows()).toEqual(before);
  });
});
