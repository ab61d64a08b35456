import { BusConnection, EventPublisher, eventPrefix, streamOf } from '@tollbridge/rpc';
import { randomBytes, randomUUID } from 'node:crypto';
import type { PoolClient } from 'pg';
import { Database, transaction } from './database';
import { OutboxRelay, type OutboxEvent, type RelayOptions } from './outbox-relay';
import { openOutboxDatabase, type OutboxDatabase } from './testing/outbox-schema';
import { eventually } from './testing/servers';

jest.setTimeout(60_000);

let shop: OutboxDatabase;

/** A stream that keeps everything, as JetStream does: the first of each id. */
interface Stream {
  createdAt: string;
  /** A lost one takes nothing until a relay has made it anew. */
  isThere: boolean;
  /** Each publication, repeated ones too. */
  sent: OutboxEvent[];
  stored: OutboxEvent[];
}

let stream: Stream;
let errors: unknown[];
const relays: OutboxRelay[] = [];

const newStream = (): Stream => ({ createdAt: randomUUID(), isThere: false, sent: [], stored: [] });

beforeAll(async () => {
  shop = await openOutboxDatabase(20);
});

afterAll(() => shop.close());

beforeEach(async () => {
  await shop.fresh.query('TRUNCATE outbox, outbox_queue, goods RESTART IDENTITY');
  await shop.fresh.query('UPDATE outbox_stream SET created_at = NULL, rebuilt_seq = NULL');
  stream = newStream();
  errors = [];
});

afterEach(async () => {
  await Promise.all(relays.splice(0).map((relay) => relay.stop()));
});

function store(events: OutboxEvent[]): void {
  if (!stream.isThere) throw new Error('no such stream');
  const known = new Set(stream.stored.map(({ id }) => id));
  stream.sent.push(...events);
  stream.stored.push(...events.filter(({ id }) => !known.has(id)));
}

function startRelay(change: Partial<RelayOptions> = {}): OutboxRelay {
  const relay = new OutboxRelay({
    pool: shop.database.pool,
    name: 'shop',
    ensureStream: async () => {
      stream.isThere = true;
      return { createdAt: stream.createdAt };
    },
    publish: async (events) => store(events),
    onError: (error) => errors.push(error),
    pollIntervalMs: 10,
    streamCheckIntervalMs: 20,
    ...change,
  });
  relays.push(relay);
  relay.start();
  return relay;
}

async function tell(
  client: PoolClient | Database['pool'],
  aggregate: string,
  payload: unknown,
): Promise<void> {
  const text = `INSERT INTO outbox (id, subject, aggregate_id, payload) VALUES (gen_random_uuid(), 'events.shop.sold.v1', $1, $2)`;
  await client.query(text, [aggregate, JSON.stringify(payload)]);
}

/** Rows that are there already, published long ago. */
async function writeHistory(count: number): Promise<void> {
  await shop.fresh.query(
    `INSERT INTO outbox (id, subject, aggregate_id, payload)
     SELECT gen_random_uuid(), 'events.shop.sold.v1', 'past', to_json(n) FROM generate_series(1, $1::int) n`,
    [count],
  );
  await shop.fresh.query('DELETE FROM outbox_queue');
}

const payloads = (): unknown[] => stream.stored.map(({ payload }) => JSON.parse(payload) as unknown);
const waiting = async (): Promise<number> => (await shop.fresh.query('SELECT FROM outbox_queue')).length;
const allIds = async (): Promise<string[]> =>
  (await shop.fresh.query<{ id: string }>('SELECT id FROM outbox ORDER BY seq')).map(({ id }) => id);

function gate(): { opened: Promise<void>; open(): void } {
  let open!: () => void;
  const opened = new Promise<void>((resolve) => (open = resolve));
  return { opened, open };
}

describe('a relay', () => {
  it('publishes what is written, once, and soon', async () => {
    startRelay();
    for (const payload of [1, 2, 3]) await tell(shop.database.pool, 'tea', payload);
    await eventually(() => expect(payloads()).toEqual([1, 2, 3]));
    await eventually(async () => expect(await waiting()).toBe(0));
    await tell(shop.database.pool, 'tea', 4);
    await eventually(() => expect(payloads()).toEqual([1, 2, 3, 4]));
    expect(stream.sent).toHaveLength(4);
    expect(errors).toEqual([]);
  });

  it('is woken by a commit, without waiting for its next look', async () => {
    const relay = startRelay({ pollIntervalMs: 3_600_000 });
    await tell(shop.database.pool, 'tea', 1);
    relay.wake();
    await eventually(() => expect(payloads()).toEqual([1]));
    await tell(shop.database.pool, 'tea', 2);
    for (let times = 0; times < 100; times++) relay.wake();
    await eventually(() => expect(payloads()).toEqual([1, 2]));
  });

  it('publishes nothing that was rolled back', async () => {
    startRelay();
    const failing = transaction(shop.database.pool, async (client) => {
      await tell(client, 'tea', 'never');
      throw new Error('no');
    });
    await expect(failing).rejects.toThrow('no');
    await tell(shop.database.pool, 'tea', 'after');
    await eventually(() => expect(payloads()).toEqual(['after']));
  });

  it('does not skip a transaction that commits late, and does not make others wait for it', async () => {
    startRelay();
    const [written, end] = [gate(), gate()];
    const late = transaction(shop.database.pool, async (client) => {
      await tell(client, 'slow', 'late');
      written.open();
      await end.opened;
    });
    await written.opened;
    await tell(shop.database.pool, 'quick', 'early');
    await eventually(() => expect(payloads()).toEqual(['early']));
    end.open();
    await late;
    await eventually(() => expect(payloads()).toEqual(['early', 'late']));
  });

  it('takes pages that are bounded by number and by size', async () => {
    const pages: OutboxEvent[][] = [];
    const publish = async (events: OutboxEvent[]) => {
      pages.push(events);
      store(events);
    };
    await writeHistory(0);
    await shop.fresh.query(
      `INSERT INTO outbox (id, subject, aggregate_id, payload)
       SELECT gen_random_uuid(), 'events.shop.sold.v1', 'tea', to_json(n) FROM generate_series(1, 1201) n`,
    );
    startRelay({ publish });
    await eventually(() => expect(stream.stored.length).toBe(1_201));
    expect(pages.map(({ length }) => length)).toEqual([500, 500, 201]);
    pages.splice(0);
    await shop.fresh.query(
      `INSERT INTO outbox (id, subject, aggregate_id, payload)
       SELECT gen_random_uuid(), 'events.shop.sold.v1', 'tea', to_json(repeat('x', 900000)) FROM generate_series(1, 20) n`,
    );
    await eventually(() => expect(stream.stored.length).toBe(1_221));
    expect(Math.max(...pages.map(({ length }) => length))).toBe(9);
    expect(stream.sent.map(({ id }) => id)).toEqual(await allIds());
  });
});

/** A repeatable source of chance. */
function chance(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state % below;
  };
}

describe('under concurrent writers', () => {
  /**
   * Transactions that take their ids early or late, hold their rows, roll back, and change one good or two. Each change
   * of a good counts its version under the row lock, and tells it.
   */
  async function writeAtRandom(seed: number, writers: number, rounds: number): Promise<void> {
    const pick = chance(seed);
    const goods = ['a', 'b', 'c'];
    await shop.fresh.query(`INSERT INTO goods SELECT unnest($1::text[]) ON CONFLICT DO NOTHING`, [goods]);
    const turn = async () => {
      for (let turns = pick(4); turns > 0; turns--) await new Promise(setImmediate);
    };
    const write = () =>
      transaction(shop.database.pool, async (client) => {
        if (pick(2) === 0) await client.query('SELECT pg_current_xact_id()');
        // Always in one order, so that nobody deadlocks.
        const chosen = goods.filter(() => pick(3) === 0);
        for (const good of chosen) {
          await turn();
          const { rows } = await client.query<{ version: number }>(
            'UPDATE goods SET version = version + 1 WHERE id = $1 RETURNING version',
            [good],
          );
          await turn();
          await tell(client, good, { good, version: rows[0]!.version });
        }
        await turn();
        if (pick(6) === 0) throw new Error('rolled back');
      }).catch((error: Error) => {
        if (error.message !== 'rolled back') throw error;
      });
    const writer = async () => {
      for (let round = 0; round < rounds; round++) await write();
    };
    await Promise.all(Array.from({ length: writers }, writer));
  }

  function expectOrder(): void {
    const versions: Record<string, number[]> = {};
    for (const { good, version } of payloads() as { good: string; version: number }[])
      (versions[good] ??= []).push(version);
    for (const [good, told] of Object.entries(versions))
      expect({ good, told }).toEqual({ good, told: told.map((_, index) => index + 1) });
  }

  const sameIds = async (): Promise<void> =>
    expect(stream.stored.map(({ id }) => id).sort()).toEqual((await allIds()).sort());

  it.each([1, 2, 3, 4, 5])('skips nothing and keeps the order of each aggregate (seed %i)', async (seed) => {
    startRelay();
    await writeAtRandom(seed, 12, 30);
    await eventually(sameIds);
    expectOrder();
    expect(errors).toEqual([]);
  });

  it.each([6, 7, 8])('does so while it fails and changes hands (seed %i)', async (seed) => {
    const pick = chance(seed);
    const publish = async (events: OutboxEvent[]) => {
      // What is stored of a page that failed is its beginning: events go out in their order.
      const isFailing = pick(4) === 0;
      store(isFailing ? events.slice(0, pick(events.length + 1)) : events);
      if (isFailing) throw new Error('nobody knows');
    };
    startRelay({ publish });
    startRelay({ publish });
    const writing = writeAtRandom(seed, 8, 25);
    await relays[0]!.stop();
    startRelay({ publish });
    await writing;
    await eventually(sameIds, { timeoutMs: 50_000 });
    expectOrder();
  });

  it.each([9, 10, 11])('does so while it fills a new stream (seed %i)', async (seed) => {
    startRelay();
    await writeAtRandom(seed, 8, 20);
    await eventually(sameIds);
    const writing = writeAtRandom(seed + 100, 12, 25);
    stream = newStream();
    await writing;
    await eventually(sameIds);
    expectOrder();
  });
});

describe('a relay that fails', () => {
  it('publishes the same ids again when nobody knows whether they were stored', async () => {
    let failures = 2;
    for (const payload of [1, 2]) await tell(shop.database.pool, 'tea', payload);
    startRelay({
      publish: async (events) => {
        store(events);
        if (failures-- > 0) throw new Error('nobody knows');
      },
    });
    await eventually(() => expect(stream.sent).toHaveLength(5));
    const [first, second] = await allIds();
    // After a failure the first one is tried alone.
    expect(stream.sent.map(({ id }) => id)).toEqual([first, second, first, first, second]);
    expect(errors).toHaveLength(2);
    await eventually(async () => expect(await waiting()).toBe(0));
  });

  it('between storing and noting it publishes the same ids again', async () => {
    for (const payload of [1, 2]) await tell(shop.database.pool, 'tea', payload);
    let isFirst = true;
    startRelay({
      publish: async (events) => {
        store(events);
        if (isFirst) await shop.fresh.breakConnections();
        isFirst = false;
      },
    });
    await eventually(() => expect(stream.sent).toHaveLength(4));
    expect(payloads()).toEqual([1, 2]);
    await eventually(async () => expect(await waiting()).toBe(0));
    await tell(shop.database.pool, 'tea', 3);
    await eventually(() => expect(payloads()).toEqual([1, 2, 3]));
  });

  it('at one event publishes nothing behind it: the order is kept', async () => {
    const poison = new Error('too large');
    let isPoisoned = true;
    for (const payload of ['poison', 'next']) await tell(shop.database.pool, 'tea', payload);
    startRelay({
      publish: async (events) => {
        if (isPoisoned) throw poison;
        store(events);
      },
    });
    await eventually(() => expect(errors.length).toBeGreaterThanOrEqual(2));
    expect(errors[0]).toBe(poison);
    expect(stream.stored).toEqual([]);
    isPoisoned = false;
    await eventually(() => expect(payloads()).toEqual(['poison', 'next']));
  });

  it('keeps the order when the stream refuses the first event and would store the next', async () => {
    let refusals = 2;
    for (const payload of [1, 2, 3]) await tell(shop.database.pool, 'tea', payload);
    startRelay({
      publish: async (events) => {
        // Space becomes free in the middle of the second try.
        const isFull = refusals-- > 0;
        if (!isFull) return store(events);
        if (refusals === 0) store(events.slice(1));
        throw new Error('insufficient resources');
      },
    });
    await eventually(async () => expect(await waiting()).toBe(0));
    expect(payloads()).toEqual([1, 2, 3]);
  });

  it('waits longer after each failure', async () => {
    const triedAtMs: number[] = [];
    startRelay({
      ensureStream: async () => {
        triedAtMs.push(performance.now());
        throw new Error('the bus is away');
      },
    });
    await eventually(() => expect(triedAtMs).toHaveLength(4));
    const [first, second, third] = triedAtMs.slice(1).map((atMs, index) => atMs - triedAtMs[index]!);
    expect(first).toBeGreaterThanOrEqual(500);
    expect(second).toBeGreaterThanOrEqual(1_000);
    expect(third).toBeGreaterThanOrEqual(2_000);
  });

  it('waits a while, whatever wakes it', async () => {
    let tries = 0;
    const relay = startRelay({
      ensureStream: async () => {
        tries++;
        throw new Error('the bus is away');
      },
    });
    await eventually(() => expect(tries).toBe(1));
    const untilMs = performance.now() + 300;
    while (performance.now() < untilMs) {
      relay.wake();
      await new Promise(setImmediate);
    }
    expect(tries).toBe(1);
    await eventually(() => expect(tries).toBe(2));
  });
});

describe('a relay whose stream has no room', () => {
  it('publishes what fits, holds the rest back in its order, and counts it', async () => {
    let room = 2;
    let backlog = -1;
    for (const payload of [1, 2, 3, 4, 5]) await tell(shop.database.pool, 'tea', payload);
    startRelay({
      countFitting: async ({ length }) => Math.min(length, room),
      publish: async (events) => {
        room -= events.length;
        store(events);
      },
      onBacklog: (rows) => (backlog = rows),
    });
    await eventually(() => expect(payloads()).toEqual([1, 2]));
    await tell(shop.database.pool, 'tea', 6);
    await eventually(() => expect(backlog).toBe(4));
    expect(payloads()).toEqual([1, 2]);
    room = 10;
    await eventually(() => expect(payloads()).toEqual([1, 2, 3, 4, 5, 6]));
    await eventually(() => expect(backlog).toBe(0));
    expect(errors).toEqual([]);
  });

  it('goes on to fill a lost stream from where it was held back', async () => {
    let room = 3;
    await writeHistory(8);
    await shop.fresh.query(`UPDATE outbox_stream SET created_at = 'lost'`);
    startRelay({
      countFitting: async ({ length }) => Math.min(length, room),
      publish: async (events) => {
        room -= events.length;
        store(events);
      },
    });
    await eventually(() => expect(payloads()).toEqual([1, 2, 3]));
    await tell(shop.database.pool, 'tea', 9);
    room = 100;
    await eventually(() => expect(payloads()).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]));
    expect(stream.sent).toHaveLength(9);
  });
});

describe('of several relays', () => {
  it('one works, and another goes on when it stops', async () => {
    const busy = [0, 0];
    const counting = (index: number) => ({
      publish: async (events: OutboxEvent[]) => {
        busy[index]! += events.length;
        store(events);
      },
    });
    const first = startRelay(counting(0));
    await tell(shop.database.pool, 'tea', 1);
    await eventually(() => expect(busy).toEqual([1, 0]));
    startRelay(counting(1));
    for (const payload of [2, 3, 4]) await tell(shop.database.pool, 'tea', payload);
    await eventually(() => expect(busy).toEqual([4, 0]));
    await first.stop();
    await tell(shop.database.pool, 'tea', 5);
    await eventually(() => expect(busy).toEqual([4, 1]), { timeoutMs: 3_000 });
  });

  it('another goes on when the connection of the first is killed', async () => {
    startRelay();
    startRelay();
    await tell(shop.database.pool, 'tea', 1);
    await eventually(() => expect(payloads()).toEqual([1]));
    await shop.fresh.breakConnections();
    await eventually(() => tell(shop.database.pool, 'tea', 2));
    await eventually(() => expect(payloads()).toEqual([1, 2]));
  });

  it('those that wait leave the pool to the requests', async () => {
    startRelay();
    await tell(shop.database.pool, 'tea', 1);
    await eventually(() => expect(payloads()).toEqual([1]));
    const { url } = shop.database.dataSource.options as { url: string };
    const standby = await Database.open({ app: 'standby', url, entities: [], maxConnections: 1 });
    const taken = jest.spyOn(standby.pool, 'connect');
    const relay = startRelay({ pool: standby.pool });
    const untilMs = performance.now() + 500;
    while (performance.now() < untilMs) {
      relay.wake();
      await new Promise(setImmediate);
    }
    expect(taken.mock.calls.length).toBeLessThanOrEqual(1);
    await relay.stop();
    await standby.close();
  });

  it('the one that works needs one connection, however small the pool, and gets it when there is one', async () => {
    const { url } = shop.database.dataSource.options as { url: string };
    const small = await Database.open({ app: 'small', url, entities: [], maxConnections: 2 });
    const end = gate();
    const hogs = [1, 2].map(() => transaction(small.pool, () => end.opened));
    startRelay({ pool: small.pool });
    await tell(shop.database.pool, 'tea', 1);
    await eventually(() => expect(errors.length).toBeGreaterThan(0));
    end.open();
    await Promise.all(hogs);
    await eventually(() => expect(payloads()).toEqual([1]));
    await Promise.all(Array.from({ length: 50 }, () => small.pool.query('SELECT 1')));
    expect(small.pool.totalCount).toBe(2);
    await Promise.all(relays.splice(0).map((relay) => relay.stop()));
    await small.close();
  });
});

describe('a stream that was lost', () => {
  it('is filled again from the beginning, in order, and then goes on', async () => {
    const rebuilt: string[] = [];
    startRelay({ onRebuild: (reason) => rebuilt.push(reason) });
    for (const payload of [1, 2, 3]) await tell(shop.database.pool, 'tea', payload);
    await eventually(() => expect(payloads()).toEqual([1, 2, 3]));
    stream = newStream();
    await eventually(() => expect(payloads()).toEqual([1, 2, 3]));
    await tell(shop.database.pool, 'tea', 4);
    await eventually(() => expect(payloads()).toEqual([1, 2, 3, 4]));
    expect(rebuilt).toEqual(['the stream is new: all events are published again']);
  });

  it('that is the first is filled from the queue only', async () => {
    await writeHistory(10);
    const rebuilt: string[] = [];
    await tell(shop.database.pool, 'tea', 'new');
    startRelay({ onRebuild: (reason) => rebuilt.push(reason) });
    await eventually(() => expect(payloads()).toEqual(['new']));
    expect(rebuilt).toEqual([]);
  });

  it('is filled on by the next relay when the first falls in the middle', async () => {
    await writeHistory(1_400);
    await shop.fresh.query(`UPDATE outbox_stream SET created_at = 'lost'`);
    let pages = 0;
    startRelay({
      publish: async (events) => {
        store(events);
        if (++pages === 2) await shop.fresh.breakConnections();
      },
    });
    await eventually(() => expect(stream.stored.length).toBe(1_400));
    expect(payloads()).toEqual(Array.from({ length: 1_400 }, (_, index) => index + 1));
    // One page came twice.
    expect(stream.sent).toHaveLength(1_900);
    await eventually(async () =>
      expect(await shop.fresh.query('SELECT rebuilt_seq FROM outbox_stream')).toEqual([
        { rebuilt_seq: null },
      ]),
    );
  });

  it('that is lost again while it is filled is filled again', async () => {
    await writeHistory(2_000);
    await shop.fresh.query(`UPDATE outbox_stream SET created_at = 'lost'`);
    let pages = 0;
    startRelay({
      publish: async (events) => {
        if (++pages === 2) {
          stream = newStream();
          throw new Error('no such stream');
        }
        store(events);
      },
    });
    await eventually(() => expect(stream.stored.length).toBe(2_000));
    expect(payloads()).toEqual(Array.from({ length: 2_000 }, (_, index) => index + 1));
  });

  it('keeps the order also for a transaction that commits behind where the filling has come', async () => {
    await writeHistory(600);
    await shop.fresh.query(`INSERT INTO goods VALUES ('tea')`);
    const [written, end] = [gate(), gate()];
    const count = async (client: PoolClient) => {
      const { rows } = await client.query<{ version: number }>(
        `UPDATE goods SET version = version + 1 WHERE id = 'tea' RETURNING version`,
      );
      await tell(client, 'tea', `version ${rows[0]!.version}`);
    };
    const first = transaction(shop.database.pool, async (client) => {
      await count(client);
      written.open();
      await end.opened;
    });
    await written.opened;
    // More than a page behind it, so that the filling has to look again.
    await writeHistory(600);
    await shop.fresh.query(`UPDATE outbox_stream SET created_at = 'lost'`);
    let pages = 0;
    startRelay({
      publish: async (events) => {
        store(events);
        // Behind the place of the first change; before the next look, the second follows it.
        if (++pages !== 2) return;
        end.open();
        await first;
        await transaction(shop.database.pool, count);
      },
    });
    await eventually(() => expect(stream.stored.length).toBe(1_202));
    expect(payloads().filter((payload) => typeof payload === 'string')).toEqual(['version 1', 'version 2']);
  });

  it('of a large table is filled in a time that grows with the table only', async () => {
    await writeHistory(200_000);
    await shop.fresh.query('ANALYZE');
    await shop.fresh.query(`UPDATE outbox_stream SET created_at = 'lost'`);
    const takenMs: number[] = [];
    let lastMs = performance.now();
    startRelay({
      publish: async (events) => {
        takenMs.push(performance.now() - lastMs);
        stream.stored.push(...events);
        lastMs = performance.now();
      },
    });
    await eventually(() => expect(stream.stored.length).toBe(200_000), { timeoutMs: 50_000 });
    const median = (list: number[]) => [...list].sort((a, b) => a - b)[list.length >> 1]!;
    const [first, last] = [median(takenMs.slice(1, 31)), median(takenMs.slice(-30))];
    // A page that reads the table from its beginning, or sorts it to its end, costs ten times what the others do.
    expect(Math.max(first, last)).toBeLessThan(4 * Math.min(first, last));
  });
});

it('events reach JetStream at thousands a second', async () => {
  const app = `shop-${randomBytes(6).toString('hex')}`;
  const bus = await BusConnection.open({ app, url: process.env['TEST_NATS_URL']! });
  const publisher = new EventPublisher(bus);
  const total = 10_000;
  await shop.fresh.query(
    `INSERT INTO outbox (id, subject, aggregate_id, payload)
     SELECT gen_random_uuid(), $1, 'tea', json_build_object('n', n, 'text', repeat('x', 700)) FROM generate_series(1, $2::int) n`,
    [`${eventPrefix(app)}.sold.v1`, total],
  );
  const startMs = performance.now();
  let published = 0;
  startRelay({
    ensureStream: () => publisher.ensureStream(),
    publish: (events) => publisher.publish(events),
    onPublished: (count) => (published += count),
  });
  await eventually(() => expect(published).toBe(total), { timeoutMs: 50_000 });
  const perSecond = Math.round((total / (performance.now() - startMs)) * 1_000);
  const manager = await bus.nats.jetstreamManager();
  expect((await manager.streams.info(streamOf(app))).state.messages).toBe(total);
  await Promise.all(relays.splice(0).map((relay) => relay.stop()));
  await manager.streams.delete(streamOf(app));
  await bus.close();
  // Several times as many are usual; this is for a machine that does other work.
  expect(perSecond).toBeGreaterThan(1_000);
});
