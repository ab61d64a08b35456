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

describe('LeaderLock', () => {
  it('stays with one replica until it is released', async () => {
    expect(await locks[0]!.take()).toMatchObject({ isNew: true });
    expect(await locks[1]!.take()).toBeUndefined();
    expect(await locks[0]!.take()).toMatchObject({ isNew: false });
    expect(await locks[1]!.take()).toBeUndefined();
  });

  it('goes to exactly one of two replicas that take it at the same moment', async () => {
    for (let round = 0; round < 20; round++) {
      const terms = await Promise.all(locks.map((lock) => lock.take()));
      expect(terms.filter(Boolean)).toHaveLength(1);
      locks.forEach((lock) => lock.release());
      await eventually(async () => expect(await held()).toBe(0));
    }
  });

  it('goes to another replica after a release', async () => {
    await locks[0]!.take();
    locks[0]!.release();
    await eventually(async () => expect(await locks[1]!.take()).toMatchObject({ isNew: true }));
    expect(await locks[0]!.take()).toBeUndefined();
  });

  it('goes to another replica when its connection is killed, and the first replica loses it', async () => {
    const pid = await pidOf(locks[0]!);
    // The runtime role may only terminate its own sessions.
    await databases[1]!.pool.query('SELECT pg_terminate_backend($1)', [pid]);
    await eventually(async () => expect(await locks[1]!.take()).toMatchObject({ isNew: true }));
    await eventually(async () => expect(await locks[0]!.take()).toBeUndefined());
    locks[1]!.release();
    await eventually(async () => expect(await locks[0]!.take()).toMatchObject({ isNew: true }));
  });

  it('holds no connection in a replica that waits', async () => {
    await locks[0]!.take();
    for (let round = 0; round < 20; round++) expect(await locks[1]!.take()).toBeUndefined();
    const { pool } = databases[1]!;
    expect(pool.idleCount).toBe(pool.totalCount);
    expect(pool.totalCount).toBeLessThanOrEqual(2);
  });

  it('is independent of a lock with another name', async () => {
    const other = new LeaderLock(databases[1]!.pool, randomBytes(6).toString('hex'));
    expect(await locks[0]!.take()).toMatchObject({ isNew: true });
    expect(await other.take()).toMatchObject({ isNew: true });
    other.release();
  });
});

describe('LeaderLock, when a connection breaks', () => {
  it('rejects when the connection breaks while it is taken, and works afterwards', async () => {
    const { pool } = databases[0]!;
    const blocked = new LeaderLock(pool, 'x');
    // The next connection breaks before it answers.
    pool.once(
      'acquire',
      (client) =>
        void (
          client as unknown as { connection: { stream: { destroy(): void } } }
        ).connection.stream.destroy(),
    );
    await expect(blocked.take()).rejects.toThrow();
    await eventually(async () => expect(await blocked.take()).toMatchObject({ isNew: true }));
    blocked.release();
  });

  it('survives a late error of its previous connection', async () => {
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
});

async function held(): Promise<number> {
  const rows = await fresh.query(`SELECT FROM pg_locks JOIN pg_database d ON d.oid = database
    WHERE locktype = 'advisory' AND datname = current_database()`);
  return rows.length;
}
