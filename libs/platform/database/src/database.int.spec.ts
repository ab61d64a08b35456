import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import type { PoolClient } from 'pg';
import { Database, transaction } from './database';
import { databaseFailure } from './database-failure';
import { eventually, freshDatabase, openTcpLink, overLink, type FreshDatabase } from './testing/servers';

let fresh: FreshDatabase;
let database: Database;
let errors: Error[];

beforeAll(async () => {
  fresh = await freshDatabase('accounts');
  await fresh.query(
    `CREATE TABLE accounts (id text PRIMARY KEY, amount integer NOT NULL CHECK (amount >= 0))`,
  );
});

afterAll(() => fresh.drop());

beforeEach(async () => {
  await fresh.query('DELETE FROM accounts');
  await fresh.query(`INSERT INTO accounts VALUES ('a', 100), ('b', 100)`);
  errors = [];
  database = await open(fresh.runtimeUrl);
});

afterEach(() => database.close());

function open(
  url: string,
  options: { maxConnections?: number; queryTimeoutMs?: number; connectTimeoutMs?: number } = {},
): Promise<Database> {
  return Database.open({
    app: 'accounts',
    url,
    entities: [],
    maxConnections: 4,
    onError: (error) => errors.push(error),
    ...options,
  });
}

const amounts = async (): Promise<number[]> =>
  (await fresh.query<{ amount: number }>('SELECT amount FROM accounts ORDER BY id')).map(
    ({ amount }) => amount,
  );
const add = (client: PoolClient, id: string, amount: number) =>
  client.query('UPDATE accounts SET amount = amount + $2 WHERE id = $1', [id, amount]);
const codeOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'OK',
    (error) => databaseFailure(error)?.code ?? `unexplained: ${error}`,
  );

function gate(): { opened: Promise<void>; open(): void } {
  let open!: () => void;
  const opened = new Promise<void>((resolve) => (open = resolve));
  return { opened, open };
}

async function timed<T>(work: Promise<T>): Promise<{ result: T; ms: number }> {
  const startMs = performance.now();
  const result = await work;
  return { result, ms: performance.now() - startMs };
}

describe('transaction', () => {
  it('commits all of its writes or none', async () => {
    await transaction(database.pool, async (client) => {
      await add(client, 'a', -30);
      await add(client, 'b', 30);
    });
    expect(await amounts()).toEqual([70, 130]);
    const failing = transaction(database.pool, async (client) => {
      await add(client, 'b', 30);
      await add(client, 'a', -80);
    });
    await expect(failing).rejects.toMatchObject({ code: '23514' });
    expect(await amounts()).toEqual([70, 130]);
  });

  it('returns the result of its work, and releases its connection', async () => {
    for (let round = 0; round < 10; round++)
      expect(await transaction(database.pool, async () => round)).toBe(round);
    expect(database.pool.idleCount).toBe(database.pool.totalCount);
    await expect(transaction(database.pool, () => Promise.reject(new Error('mine')))).rejects.toThrow('mine');
    expect(database.pool.idleCount).toBe(database.pool.totalCount);
  });

  it('rejects when its work ignores a failed statement, because PostgreSQL rolls back', async () => {
    const swallowing = transaction(database.pool, async (client) => {
      await add(client, 'a', 1);
      await client.query('INSERT INTO accounts VALUES ($1, 1)', ['b']).catch(() => undefined);
    });
    await expect(swallowing).rejects.toThrow('the transaction had failed before it was committed');
    expect(await amounts()).toEqual([100, 100]);
  });

  it('retries after a deadlock until both transactions commit', async () => {
    let attempts = 0;
    const both = [gate(), gate()];
    const move = (from: string, to: string, mine: number) =>
      transaction(database.pool, async (client) => {
        attempts++;
        await add(client, from, -1);
        both[mine]!.open();
        await both[1 - mine]!.opened;
        await add(client, to, 1);
      });
    await Promise.all([move('a', 'b', 0), move('b', 'a', 1)]);
    expect(attempts).toBe(3);
    expect(await amounts()).toEqual([100, 100]);
  });

  it('retries after a serialization failure', async () => {
    let attempts = 0;
    const both = [gate(), gate()];
    const increase = (mine: number) =>
      transaction(database.pool, async (client) => {
        attempts++;
        await client.query('SET TRANSACTION ISOLATION LEVEL REPEATABLE READ');
        const { rows } = await client.query<{ amount: number }>(`SELECT amount FROM accounts WHERE id = 'a'`);
        both[mine]!.open();
        await both[1 - mine]!.opened;
        await client.query(`UPDATE accounts SET amount = $1 WHERE id = 'a'`, [rows[0]!.amount + 1]);
      });
    await Promise.all([increase(0), increase(1)]);
    expect(attempts).toBe(3);
    expect(await amounts()).toEqual([102, 100]);
  });

  it.each(['40001', '40P01'])('rejects after the third failure with %s', async (state) => {
    let attempts = 0;
    const failing = transaction(database.pool, async (client) => {
      attempts++;
      await add(client, 'a', 1);
      await client.query(`DO $$ BEGIN RAISE SQLSTATE '${state}'; END $$`);
    });
    await expect(failing).rejects.toMatchObject({ code: state });
    expect(databaseFailure(await failing.catch((error: unknown) => error))?.code).toBe('SERVICE_UNAVAILABLE');
    expect(attempts).toBe(3);
    expect(await amounts()).toEqual([100, 100]);
  });

  it.each([
    ['a constraint', (client: PoolClient) => add(client, 'a', -101)],
    [
      'a statement that timed out',
      async (client: PoolClient) => {
        await client.query(`SET LOCAL statement_timeout = '20ms'`);
        await client.query('SELECT pg_sleep(5)');
      },
    ],
    [
      'an error of the app with such a code',
      () => Promise.reject(Object.assign(new Error(), { code: '40001' })),
    ],
  ])('does not retry after %s', async (_case, fail) => {
    let attempts = 0;
    const failing = transaction<unknown>(database.pool, (client) => {
      attempts++;
      return fail(client);
    });
    await expect(failing).rejects.toBeDefined();
    expect(attempts).toBe(1);
  });
});

describe('Database, when connections break', () => {
  it('rejects a transaction between two statements with OUTCOME_UNKNOWN, and works afterwards', async () => {
    const [begun, broken] = [gate(), gate()];
    const work = transaction(database.pool, async (client) => {
      await add(client, 'a', 1);
      begun.open();
      await broken.opened;
      await add(client, 'b', 1);
    });
    const code = codeOf(work);
    await begun.opened;
    await fresh.breakConnections();
    await eventually(async () => expect(await sessions()).toBe(0));
    await new Promise(setImmediate);
    broken.open();
    expect(await code).toBe('OUTCOME_UNKNOWN');
    expect(await amounts()).toEqual([100, 100]);
    await transaction(database.pool, (client) => add(client, 'a', 5));
    expect(await amounts()).toEqual([105, 100]);
  });

  it('rejects a running statement with OUTCOME_UNKNOWN, and opens new connections', async () => {
    // The lock shows that the statement has begun, because the owner cannot see statements of other roles.
    const statement = 'SELECT pg_sleep(60) FROM accounts';
    const sleeping = codeOf(transaction(database.pool, (client) => client.query(statement)));
    const querying = codeOf(database.pool.query(statement));
    await eventually(async () =>
      expect(
        await fresh.query(`SELECT DISTINCT pid FROM pg_locks
          WHERE relation = 'accounts'::regclass AND pid <> pg_backend_pid()`),
      ).toHaveLength(2),
    );
    await fresh.breakConnections();
    expect(await Promise.all([sleeping, querying])).toEqual(['OUTCOME_UNKNOWN', 'OUTCOME_UNKNOWN']);
    expect(await database.isReady()).toBe(true);
  });

  it('reports broken idle connections to onError, and replaces them', async () => {
    await Promise.all([database.isReady(), database.isReady()]);
    expect(database.pool.idleCount).toBeGreaterThan(0);
    await fresh.breakConnections();
    await eventually(() => expect(errors.length).toBeGreaterThan(0));
    await eventually(async () => expect(await database.isReady()).toBe(true));
  });
});

const sessions = async (): Promise<number> => {
  const [row] = await fresh.query<{ count: number }>(
    `SELECT count(*)::int AS count FROM pg_stat_activity
     WHERE application_name = 'accounts' AND datname = current_database()`,
  );
  return row!.count;
};

describe('Database without a free connection', () => {
  it('rejects with SERVICE_UNAVAILABLE after connectTimeoutMs, and recovers', async () => {
    await database.close();
    database = await open(fresh.runtimeUrl, { connectTimeoutMs: 1_000 });
    const release = gate();
    const busy = Array.from({ length: 4 }, () => transaction(database.pool, () => release.opened));
    const waiting = await timed(codeOf(database.pool.query('SELECT 1')));
    expect(waiting.result).toBe('SERVICE_UNAVAILABLE');
    expect(waiting.ms).toBeLessThan(3_300);
    expect(await codeOf(transaction(database.pool, async () => undefined))).toBe('SERVICE_UNAVAILABLE');
    expect(await database.isReady()).toBe(false);
    release.open();
    await Promise.all(busy);
    expect(await database.isReady()).toBe(true);
  });

  it('opens at most maxConnections', async () => {
    await Promise.all(Array.from({ length: 50 }, () => database.pool.query('SELECT pg_sleep(0.005)')));
    expect(database.pool.totalCount).toBe(4);
    expect(await sessions()).toBe(4);
  });
});

describe('Database with an unreachable server', () => {
  it('rejects immediately with SERVICE_UNAVAILABLE, and reconnects when the server is back', async () => {
    const link = await openTcpLink(fresh.runtimeUrl);
    const remote = await open(overLink(fresh.runtimeUrl, link));
    expect(await remote.isReady()).toBe(true);
    await link.cut();
    await eventually(async () =>
      expect(await codeOf(remote.pool.query('SELECT 1'))).toBe('SERVICE_UNAVAILABLE'),
    );
    const notReady = await timed(remote.isReady());
    expect(notReady.result).toBe(false);
    expect(notReady.ms).toBeLessThan(3_300);
    await link.mend();
    await eventually(async () => expect(await remote.isReady()).toBe(true));
    await remote.close();
    await link.close();
  });

  it('rejects at the start', async () => {
    const link = await openTcpLink(fresh.runtimeUrl);
    await link.cut();
    await expect(open(overLink(fresh.runtimeUrl, link))).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  });

  it('discards a connection after queryTimeoutMs when the network drops its packets', async () => {
    const tunnel = await openTunnel(fresh.runtimeUrl);
    const url = new URL(fresh.runtimeUrl);
    url.port = String(tunnel.port);
    const remote = await open(url.toString(), { queryTimeoutMs: 1_000, maxConnections: 1 });
    tunnel.swallow(true);
    expect(await codeOf(remote.pool.query('SELECT 1'))).toBe('OUTCOME_UNKNOWN');
    tunnel.swallow(false);
    await eventually(async () => expect(await remote.isReady()).toBe(true));
    tunnel.swallow(true);
    const work = transaction(remote.pool, (client) => client.query('SELECT 1'));
    expect(await codeOf(work)).toBe('OUTCOME_UNKNOWN');
    tunnel.swallow(false);
    await eventually(async () => expect(await remote.isReady()).toBe(true));
    await remote.close();
    tunnel.close();
  });
});

/** A tunnel to the server that drops all bytes while `swallow` is on. */
async function openTunnel(target: string) {
  const { hostname, port } = new URL(target);
  const sockets: Socket[] = [];
  let isSwallowing = false;
  const server = createServer((near) => {
    const far = connect(Number(port), hostname);
    sockets.push(near, far);
    near.on('data', (bytes) => isSwallowing || far.write(bytes));
    far.on('data', (bytes) => isSwallowing || near.write(bytes));
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const)
      one.on('error', () => undefined).on('close', () => other.destroy());
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    swallow: (on: boolean) => void (isSwallowing = on),
    close() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}
