import { eventually } from './testing/servers';
import { randomBytes } from 'node:crypto';
import { Pool } from 'pg';
import { transaction } from './database';
import { handleOnce, keepDeadLetter } from './inbox';
import { LeaderLock } from './leader-lock';
import { outboxTables } from './outbox';
import { OutboxRelay, type OutboxEvent } from './outbox-relay';

jest.setTimeout(30_000);

const name = `test_data_${randomBytes(6).toString('hex')}`;
let admin: Pool;
let pool: Pool;

const urlOf = (database: string) =>
  Object.assign(new URL(process.env['TEST_POSTGRES_ADMIN_URL']!), { pathname: `/${database}` }).href;

beforeAll(async () => {
  admin = new Pool({ connectionString: urlOf('postgres'), max: 1 });
  await admin.query(`CREATE DATABASE ${name}`);
  pool = new Pool({ connectionString: urlOf(name), max: 20 });
  pool.on('error', () => undefined);
  await pool.query(outboxTables);
  await pool.query(
    'CREATE TABLE counters (id int PRIMARY KEY, value int NOT NULL); INSERT INTO counters VALUES (1, 0), (2, 0)',
  );
});

afterAll(async () => {
  await pool.end();
  await admin.query(`DROP DATABASE ${name} WITH (FORCE)`);
  await admin.end();
});

const terminate = (condition: string) =>
  pool.query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE ${condition}`);

describe('transaction', () => {
  it('repeats deadlocks until both are done', async () => {
    const both = (first: number, second: number) =>
      transaction(pool, async (client) => {
        await client.query('UPDATE counters SET value = value + 1 WHERE id = $1', [first]);
        await new Promise((resolve) => setTimeout(resolve, 50));
        await client.query('UPDATE counters SET value = value + 1 WHERE id = $1', [second]);
      });
    await Promise.all([both(1, 2), both(2, 1)]);
    expect((await pool.query('SELECT value FROM counters ORDER BY id')).rows).toEqual([
      { value: 2 },
      { value: 2 },
    ]);
  });

  it('gives up other failures at once, and leaves nothing', async () => {
    let calls = 0;
    const failing = transaction(pool, async (client) => {
      calls++;
      await client.query('INSERT INTO counters VALUES (3, 0)');
      await client.query('INSERT INTO counters VALUES (1, 0)');
    });
    await expect(failing).rejects.toMatchObject({ code: '23505' });
    expect(calls).toBe(1);
    expect((await pool.query('SELECT FROM counters WHERE id = 3')).rowCount).toBe(0);
  });

  it('survives the loss of its connection between two queries', async () => {
    const cut = transaction(pool, async (client) => {
      const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
      await terminate(`pid = ${rows[0]!.pid}`);
      await eventually(() =>
        expect((client as unknown as { _ending: boolean; _queryable: boolean })._queryable).toBe(false),
      );
      await client.query('SELECT 1');
    });
    await expect(cut).rejects.toThrow();
    await expect(pool.query('SELECT 1')).resolves.toMatchObject({ rowCount: 1 });
  });
});

describe('handleOnce', () => {
  const eventId = '01a1faec-0000-7000-8000-000000000001';

  it('has one effect for fifty deliveries at once', async () => {
    await pool.query('CREATE TABLE effects (n int)');
    const deliveries = Array.from({ length: 50 }, () =>
      handleOnce(
        pool,
        'shop',
        eventId,
        async (client) => void (await client.query('INSERT INTO effects VALUES (1)')),
      ),
    );
    expect((await Promise.all(deliveries)).filter(Boolean)).toHaveLength(1);
    expect((await pool.query('SELECT FROM effects')).rowCount).toBe(1);
  });

  it('notes nothing when the effect fails, so that it is tried again', async () => {
    const other = '01a1faec-0000-7000-8000-000000000002';
    await expect(handleOnce(pool, 'shop', other, () => Promise.reject(new Error('not now')))).rejects.toThrow(
      'not now',
    );
    await expect(handleOnce(pool, 'shop', other, () => Promise.resolve())).resolves.toBe(true);
  });

  it('counts consumers apart, and keeps what cannot be handled', async () => {
    await expect(handleOnce(pool, 'another', eventId, () => Promise.resolve())).resolves.toBe(true);
    await keepDeadLetter(pool, 'shop', '{"bad', new SyntaxError('Unexpected end'));
    expect((await pool.query('SELECT consumer, event, reason FROM dead_letters')).rows).toEqual([
      { consumer: 'shop', event: '{"bad', reason: 'Unexpected end' },
    ]);
  });
});

describe('LeaderLock', () => {
  it('has one holder, and another one when the connection of the first dies', async () => {
    const first = new LeaderLock(pool, 'job');
    const second = new LeaderLock(pool, 'job');
    const term = await first.take();
    expect(term?.isNew).toBe(true);
    expect((await first.take())?.isNew).toBe(false);
    expect(await second.take()).toBeUndefined();
    const { rows } = await term!.client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
    await terminate(`pid = ${rows[0]!.pid}`);
    await eventually(async () => expect((await second.take())?.isNew).toBeDefined());
    expect(await first.take()).toBeUndefined();
    second.release();
    await eventually(async () => expect(await first.take()).toBeDefined());
    first.release();
  });
});

describe('OutboxRelay', () => {
  let published: OutboxEvent[];
  let streamCreatedAt: string;
  let failPublishes: number;
  let relays: OutboxRelay[];

  beforeEach(async () => {
    await pool.query(
      'TRUNCATE outbox, outbox_queue; UPDATE outbox_stream SET created_at = NULL, rebuilt_seq = NULL',
    );
    published = [];
    streamCreatedAt = 'first';
    failPublishes = 0;
    relays = [];
  });
  afterEach(() => Promise.all(relays.map((relay) => relay.stop())));

  function startRelay(onPublish: () => void = () => undefined): OutboxRelay {
    const relay = new OutboxRelay({
      pool,
      name,
      ensureStream: async () => ({ createdAt: streamCreatedAt }),
      publish: async (events) => {
        onPublish();
        published.push(...events);
        if (failPublishes-- > 0) throw new Error('nobody knows whether it is stored');
      },
      pollIntervalMs: 20,
    });
    relays.push(relay);
    relay.start();
    return relay;
  }

  const insert = (aggregate: string, payload: object) =>
    [
      `INSERT INTO outbox (id, subject, aggregate_id, payload) VALUES (gen_random_uuid(), 'events.shop.sold.v1', $1, $2)`,
      [aggregate, JSON.stringify(payload)],
    ] as [string, unknown[]];

  const stored = async (): Promise<string[]> =>
    (await pool.query<{ id: string }>('SELECT id FROM outbox ORDER BY seq')).rows.map(({ id }) => id);
  const ids = () => published.map(({ id }) => id);

  it('skips nothing that commits late, and keeps the order of each aggregate, under concurrent writers', async () => {
    startRelay();
    const aggregates = ['a', 'b', 'c', 'd'];
    await pool.query('CREATE TABLE versions (id text PRIMARY KEY, version int NOT NULL)');
    for (const id of aggregates) await pool.query('INSERT INTO versions VALUES ($1, 0)', [id]);
    const write = async (round: number): Promise<void> => {
      await transaction(pool, async (client) => {
        // Some take their transaction id early and change the row late: the case that sequence numbers alone get wrong.
        if (round % 3 === 0) await client.query('SELECT pg_current_xact_id()');
        if (round % 5 === 0) await new Promise((resolve) => setTimeout(resolve, 30));
        const aggregate = aggregates[round % aggregates.length]!;
        const { rows } = await client.query<{ version: number }>(
          'UPDATE versions SET version = version + 1 WHERE id = $1 RETURNING version',
          [aggregate],
        );
        await client.query(...insert(aggregate, { aggregate, version: rows[0]!.version }));
        if (round % 7 === 0) await new Promise((resolve) => setTimeout(resolve, 20));
      });
    };
    await Promise.all(
      Array.from({ length: 16 }, async (_, writer) => {
        for (let round = 0; round < 25; round++) await write(writer * 31 + round);
      }),
    );
    await eventually(async () => expect(ids().sort()).toEqual((await stored()).sort()));
    for (const aggregate of aggregates) {
      const versions = published
        .map(({ payload }) => JSON.parse(payload))
        .filter((told) => told.aggregate === aggregate)
        .map(({ version }) => version);
      expect(versions).toEqual(versions.map((_, index) => index + 1));
    }
  });

  it('publishes the same ids again when nobody knows whether they were stored', async () => {
    failPublishes = 1;
    await pool.query(...insert('a', {}));
    await pool.query(...insert('a', {}));
    startRelay();
    const both = await stored();
    await eventually(() => expect(ids()).toEqual([...both, ...both]));
  });

  it('lets one of two relays work, and the other when the first stops', async () => {
    const busy = { first: 0, second: 0 };
    const first = startRelay(() => busy.first++);
    await pool.query(...insert('a', {}));
    await eventually(() => expect(published).toHaveLength(1));
    startRelay(() => busy.second++);
    await pool.query(...insert('a', {}));
    await eventually(() => expect(published).toHaveLength(2));
    expect(busy.second).toBe(0);
    await first.stop();
    await pool.query(...insert('a', {}));
    await eventually(() => expect(published).toHaveLength(3));
    expect(busy.second).toBe(1);
  });

  it('publishes everything again when the stream is a new one', async () => {
    const first = startRelay();
    for (let made = 0; made < 3; made++) await pool.query(...insert('a', {}));
    await eventually(() => expect(published).toHaveLength(3));
    await first.stop();
    streamCreatedAt = 'second';
    startRelay();
    await eventually(() => expect(ids().slice(3)).toEqual(ids().slice(0, 3)));
  });

  it('takes new events on while it fills a new stream', async () => {
    await pool.query(
      `INSERT INTO outbox (id, subject, aggregate_id, payload) SELECT gen_random_uuid(), 's', 'a', '{}' FROM generate_series(1, 1200)`,
    );
    await pool.query(`TRUNCATE outbox_queue; UPDATE outbox_stream SET created_at = 'older'`);
    let isWritten = false;
    startRelay(() => {
      if (!isWritten) void pool.query(...insert('a', {}));
      isWritten = true;
    });
    await eventually(async () => expect(ids()).toEqual(await stored()));
    expect(published).toHaveLength(1_201);
  });

  it('publishes pages of thousands in order', async () => {
    await pool.query(
      `INSERT INTO outbox (id, subject, aggregate_id, payload) SELECT gen_random_uuid(), 's', 'a', '{}' FROM generate_series(1, 2345)`,
    );
    startRelay();
    await eventually(() => expect(published).toHaveLength(2_345));
    expect(ids()).toEqual(await stored());
    expect((await pool.query('SELECT FROM outbox_queue')).rowCount).toBe(0);
  });
});
