import { randomBytes } from 'node:crypto';
import { Database } from './database';
import { LeaderLock } from './leader-lock';
import { eventually, freshDatabase, type FreshDatabase } from './testing/servers';

let fresh: FreshDatabase;
let databases: Database[];
let locks: LeaderLock[];

beforeAll(async () => {
  fresh = await freshDatabase('leaders');
  const open = () =>
    Database.open({ app: 'leaders', url: fresh.runtimeUrl, entities: [], maxConnections: 2 });
  databases = [await open(), await open()];
});

afterAll(async () => {
  for (const database of databases) await database.close();
  await fresh.drop();
});

beforeEach(() => {
  const name = randomBytes(6).toString('hex');
  locks = databases.map(({ pool }) => new LeaderLock(pool, name));
});

afterEach(() => locks.forEach((lock) => lock.release()));

const pidOf = async (lock: LeaderLock): Promise<number> => {
  const { client } = (await lock.take())!;
  return (await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid')).rows[0]!.pid;
};

describe('of two replicas', () => {
  it('one leads, for as long as it likes', async () => {
    expect(await locks[0]!.take()).toMatchObject({ isNew: true });
    expect(await locks[1]!.take()).toBeUndefined();
    expect(await locks[0]!.take()).toMatchObject({ isNew: false });
    expect(await locks[1]!.take()).toBeUndefined();
  });

  it('exactly one leads when both want it at the same moment', async () => {
    for (let round = 0; round < 20; round++) {
      const terms = await Promise.all(locks.map((lock) => lock.take()));
      expect(terms.filter(Boolean)).toHaveLength(1);
      locks.forEach((lock) => lock.release());
      await eventually(async () => expect(await held()).toBe(0));
    }
  });

  it('the other leads when the first gives up', async () => {
    await locks[0]!.take();
    locks[0]!.release();
    await eventually(async () => expect(await locks[1]!.take()).toMatchObject({ isNew: true }));
    expect(await locks[0]!.take()).toBeUndefined();
  });

  it('the other leads when the connection of the first is killed, and the first knows it', async () => {
    const pid = await pidOf(locks[0]!);
    // A superuser's or one's own session may be ended: the runtime role ends its own.
    await databases[1]!.pool.query('SELECT pg_terminate_backend($1)', [pid]);
    await eventually(async () => expect(await locks[1]!.take()).toMatchObject({ isNew: true }));
    await eventually(async () => expect(await locks[0]!.take()).toBeUndefined());
    locks[1]!.release();
    await eventually(async () => expect(await locks[0]!.take()).toMatchObject({ isNew: true }));
  });

  it('the one that waits keeps no connection', async () => {
    await locks[0]!.take();
    for (let round = 0; round < 20; round++) expect(await locks[1]!.take()).toBeUndefined();
    const { pool } = databases[1]!;
    expect(pool.idleCount).toBe(pool.totalCount);
    expect(pool.totalCount).toBeLessThanOrEqual(2);
  });

  it('different work has different leaders', async () => {
    const other = new LeaderLock(databases[1]!.pool, randomBytes(6).toString('hex'));
    expect(await locks[0]!.take()).toMatchObject({ isNew: true });
    expect(await other.take()).toMatchObject({ isNew: true });
    other.release();
  });
});

it('a lock whose connection breaks while it is asked for fails, and the process lives on', async () => {
  const { pool } = databases[0]!;
  const blocked = new LeaderLock(pool, 'x');
  // Whatever connection is taken next breaks before it answers.
  pool.once(
    'acquire',
    (client) =>
      void (client as unknown as { connection: { stream: { destroy(): void } } }).connection.stream.destroy(),
  );
  await expect(blocked.take()).rejects.toThrow();
  await eventually(async () => expect(await blocked.take()).toMatchObject({ isNew: true }));
  blocked.release();
});

it('an old connection that breaks late does not cost the new one', async () => {
  const first = (await locks[0]!.take())!.client;
  locks[0]!.release();
  const second = await eventually(async () => {
    const term = await locks[0]!.take();
    expect(term).toMatchObject({ isNew: true });
    return term!.client;
  });
  first.emit('error', new Error('late'));
  expect(await locks[0]!.take()).toEqual({ client: second, isNew: false });
});

async function held(): Promise<number> {
  const rows = await fresh.query(`SELECT FROM pg_locks JOIN pg_database d ON d.oid = database
    WHERE locktype = 'advisory' AND datname = current_database()`);
  return rows.length;
}
